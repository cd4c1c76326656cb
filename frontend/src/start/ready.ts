/** What can be used without a connection, and whether this browser has it already. */
const KEY = 'stichwerk-ready';

/** Everything is here now: all files of the page, and the rules. */
export function keepReady(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // Then it is not offered.
  }
}

/** Whether lessons and rules open without a connection. */
export function isReady(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}
