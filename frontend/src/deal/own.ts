/** What this browser knows about its own part in a finished match. */
import { checkRecord, ownTranscript, ownWords } from './check';
import type { Finding, RecordedDeal } from './check';
import { timestamp } from './save';
import { shareOf } from './shares';
import type { KeptShare } from './shares';
import { WORD_LIST } from './words-list';

/** Return our share of a match, if the server ever had it. */
export function sealedShareOf(match: string): KeptShare | null {
  const share = shareOf(match);
  return share?.sealed ? share : null;
}

/** Return the six words that this browser computed at the deal; none if it took no part in it. */
export function wordsAtDeal(match: string): readonly string[] {
  const dealing = sealedShareOf(match)?.dealing;
  return dealing ? ownWords(dealing, WORD_LIST) : [];
}

/** Return what is wrong with the record of a match, as far as our share is concerned. */
export function checkOwnRecord(match: string, record: RecordedDeal): Finding[] {
  const share = sealedShareOf(match);
  if (!share) return [];
  try {
    return checkRecord(record, share, share.dealing && ownTranscript(share.dealing));
  } catch {
    return [{ id: 'deal-record', data: { what: 'fairness' } }]; // unreadable
  }
}

/** Return the evidence of what is wrong with a record. */
export function recordEvidence(
  match: string,
  record: RecordedDeal | null,
  findings: readonly Finding[],
): object {
  const share = sealedShareOf(match);
  return {
    format: 'stichwerk-evidence/1',
    saved: timestamp(),
    server: location.origin,
    match,
    findings,
    own_share: share && {
      match: share.match,
      seat: share.seat,
      share: share.share,
      commit: share.commit,
    },
    told_before: share?.dealing ?? null,
    record,
  };
}
