/** Hand something on: by the device's own way, as a download, or as text on the clipboard. */
import { saveFile } from '../deal/save';

/** What became of it; `dropped`: the person changed their mind. */
export type Outcome = 'shared' | 'saved' | 'copied' | 'dropped' | 'failed';

/** Share a picture in the best way there is; without a picture, its text. */
export async function share(picture: Blob | null, name: string, text: string): Promise<Outcome> {
  if (picture) {
    const files = [new File([picture], name, { type: 'image/png' })];
    if (canShare(files)) {
      try {
        await navigator.share({ files, text });
        return 'shared';
      } catch (error) {
        if ((error as Error).name === 'AbortError') return 'dropped';
      }
    }
    saveFile(name, picture);
    return 'saved';
  }
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}

function canShare(files: File[]): boolean {
  return 'canShare' in navigator && navigator.canShare({ files });
}
