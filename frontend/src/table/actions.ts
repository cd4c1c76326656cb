/** Everything that keys and buttons of the frame can request. */
export type Action =
  'last' | 'hint' | 'take-back' | 'typed' | 'log' | 'scores' | 'chat' | 'menu' | 'rules' | 'keys';
