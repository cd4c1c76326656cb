/** Icons for buttons, drawn in a square of 24 with the stroke of the text. */
export const ICONS = {
  away: 'M12 3v9l5 3M21 12a9 9 0 1 1-9-9',
  back: 'M15 5l-7 7 7 7',
  bot: 'M12 3v4M5 8h14v11H5zM9 13h.01M15 13h.01M9.5 16h5M2 12v4M22 12v4',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  close: 'M6 6l12 12M18 6 6 18',
  cog: 'M3 7h9M18 7h3M15 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 17h3M12 17h9M9 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  copy: 'M9 9h11v12H9zM5 15H4V3h11v2',
  device: 'M7 2h10v20H7zM11 18h2',
  friends:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.2c2.5.6 4 2.6 4 5.8',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0 0 12 3z',
  last: 'M7 5h9a2 2 0 0 1 2 2v11M4 8h9a2 2 0 0 1 2 2v10H6a2 2 0 0 1-2-2z',
  log: 'M5 6h14M5 12h14M5 18h9',
  menu: 'M4 6h16M4 12h16M4 18h16',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
  play: 'M7 4.5v15l12-7.5z',
  scores: 'M5 20V10M12 20V4M19 20v-7',
  share: 'M12 15V3M7.5 7 12 2.8 16.5 7M5 12v9h14v-9',
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  typed: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  undo: 'M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3',
  watch:
    'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
} as const;

export type IconName = keyof typeof ICONS;
