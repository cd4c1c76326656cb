/** What can be used without a connection, and whether this browser already has it. */
const KEY = 'stichwerk-ready';

/** Note that everything is cached: all files of the page, and the rules. */
export function keepReady(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // Then it is not offered.
  }
}

/** Return whether lessons and rules open without a connection. */
export function isReady(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}
