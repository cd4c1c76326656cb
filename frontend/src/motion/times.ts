/** How long movements take, in milliseconds, and how they slow down. */
export const DEAL = 220;
export const STAGGER = 35; // from card to card
export const PLAY = 260; // from the hand to the table
export const LANDING = 90; // its last part
export const COLLECT = 420; // from the table to its winner
export const HOP = 240; // the crown, from card to card
export const FLIP = 320; // a card that is turned up
export const TURN_LEAF = 420;
export const RIPPLE = 600;
export const SHAKE = 180;
export const TICK = 200;
export const EASING = 'cubic-bezier(0.2, 0.8, 0.2, 1)';
