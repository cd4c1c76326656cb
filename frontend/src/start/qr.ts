/** QR codes of links, drawn by the server. */

/** Return the address of a link's QR code, or nothing if there is none. */
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
