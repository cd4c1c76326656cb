/** How today's sheets ask for their choices. */
import type { PanelInfo, SheetInfo } from '../../protocol';
import { filled } from '../../texts/words';

type Data = Parameters<typeof filled>[1];
const NOTHING = { card: '…', cards: '…', count: '…' };

/** Return the panel of a phase; undefined if no sheet of the day describes one. */
export function panelOf(sheets: readonly SheetInfo[], phase: string): PanelInfo | undefined {
  return sheets.flatMap((sheet) => sheet.panels).find((panel) => panel.phase === phase);
}

/**
 * Return what the button says that makes the choice: with what is picked, or while that is nothing
 * (null). `known`: what the text may name even then.
 */
export function actionOf(panel: PanelInfo, picked: Data | null, known: Data = {}): string {
  if (picked === null && panel.idle) return panel.idle;
  return filled(panel.action, { ...NOTHING, ...known, ...picked });
}
