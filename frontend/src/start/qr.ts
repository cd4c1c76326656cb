/** Links as pictures to be scanned; drawn by the server, as it has the means already. */

/** The address of the picture of a link, or nothing where there is none. */
export async function qrPicture(link: string): Promise<string> {
  try {
    const answer = await fetch('/api/qr', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: link }),
    });
    if (!answer.ok) return '';
    return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
  } catch {
    return ''; // the link itself works without it
  }
}
