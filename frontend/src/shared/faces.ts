/**
 * The faces of the characters, in a square of 100 like the animals of the seats. Loaded only where one
 * of them is shown.
 */
import { area, disc, line, mark } from '../cards/art/svg';

const eyes = (x: number, y: number, r: number, fill: string) =>
  disc(x, y, r, fill) + disc(100 - x, y, r, fill);

const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string) =>
  mark('ellipse', { cx, cy, rx, ry, fill });

function rooster(): string {
  const [comb, feathers, beak, ink] = ['#d3322c', '#fff3dd', '#f0a020', '#2a160c'];
  return (
    area('M28 34q-7-20 6-22 4-12 16-8 12-4 16 8 13 2 6 22-22-8-44 0Z', comb) +
    area('M50 22c20 0 31 15 31 34 0 24-14 40-31 40S19 80 19 56c0-19 11-34 31-34Z', feathers) +
    area('M19 62q8 6 6 18l-9-6ZM81 62q-8 6-6 18l9-6Z', '#c98a3c') +
    area('M42 76q-6 20 4 21 5-6 4-19 0 13 4 19 10-1 4-21Z', comb) +
    area('M34 58q16-9 32 0l-16 22Z', beak) +
    line('M37 61q13 7 26 0', '#b8700c', 2.5) +
    eyes(34, 46, 5.4, ink) +
    disc(36, 44, 1.8, '#fff') +
    disc(68, 44, 1.8, '#fff') +
    line('M25 36l14 4M75 36l-14 4', ink, 3.4)
  );
}

function tortoise(): string {
  const [shell, edge, skin, ink] = ['#7a6a2f', '#54481d', '#a9c46c', '#22300f'];
  return (
    area('M5 66Q4 8 50 8t45 58q-9 16-45 16T5 66Z', shell) +
    line(
      'M36 11 29 32 9 44M64 11l7 21 20 12M29 32h42M29 32 20 60l-13 8M71 32l9 28 13 8',
      edge,
      3.2,
    ) +
    area('M50 36c17 0 27 12 27 28S66 94 50 94 23 80 23 64s10-28 27-28Z', skin) +
    eyes(37, 61, 6.2, '#fbfff0') +
    eyes(37.5, 62.5, 4, ink) +
    line('M29 54q7-5 14-1M71 54q-7-5-14-1', '#6f8a3c', 3.2) +
    line('M38 80q12 7 24 0', ink, 3.2) +
    eyes(47, 72, 1.5, ink) +
    eyes(29, 75, 4, '#c8d98c')
  );
}

function cat(): string {
  const [fur, inner, iris, ink] = ['#4a4458', '#d98aa0', '#c8e04a', '#15101c'];
  return (
    area('M14 8 42 30h16L86 8q6 28 2 46c-2 24-18 38-38 38S14 78 12 54Q8 36 14 8Z', fur) +
    area('M20 20l14 13-12 10ZM80 20 66 33l12 10Z', inner) +
    area('M22 50q12-10 23 5-14 6-23-5ZM78 50q-12-10-23 5 14 6 23-5Z', iris) +
    ellipse(35, 52, 2.4, 5, ink) +
    ellipse(65, 52, 2.4, 5, ink) +
    line('M20 46q13-7 26 6M80 46q-13-7-26 6', ink, 3.4) +
    area('M44 65h12l-6 7Z', inner) +
    line('M50 72q-2 8-11 7M50 72q3 9 15 4', '#f3ebff', 2.8) +
    line('M30 68 8 64M30 74 10 79M70 68l22-4M70 74l20 5', '#b9aecb', 2)
  );
}

function elephant(): string {
  const [skin, dark, inner, ink] = ['#93a3b5', '#73849a', '#e3b5bd', '#1c2530'];
  return (
    area('M33 26Q2 12 3 46q1 28 28 30ZM67 26q31-14 30 20-1 28-28 30Z', dark) +
    area('M30 34Q10 27 11 47q1 17 18 20ZM70 34q20-7 19 13-1 17-18 20Z', inner) +
    area(
      'M50 14c20 0 28 15 28 34 0 15-8 22-17 26l-2 20q-9 6-18 0l-2-20c-9-4-17-11-17-26 0-19 8-34 28-34Z',
      skin,
    ) +
    line('M41 74q9 4 18 0M41 82q9 4 17 0M42 90q8 3 16 0', dark, 2.6) +
    area('M34 70q-6 10-2 17 6-4 8-14ZM66 70q6 10 2 17-6-4-8-14Z', '#fffaf0') +
    eyes(36, 48, 4.8, ink) +
    line('M28 39q7-5 13-1M72 39q-7-5-13-1', dark, 3) +
    disc(64, 48, 10.5, 'none', { stroke: '#f2c14b', 'stroke-width': 3 }) +
    line('M74 51q6 8 3 19', '#f2c14b', 2.2)
  );
}

function sheep(): string {
  const [wool, face, ink] = ['#fbf6ea', '#5d4a44', '#241815'];
  const curls = [
    ...[
      [50, 17],
      [31, 21],
      [69, 21],
      [17, 36],
      [83, 36],
      [13, 55],
      [87, 55],
    ],
    ...[
      [20, 73],
      [80, 73],
      [34, 86],
      [66, 86],
      [50, 90],
    ],
  ];
  return (
    curls.map(([x, y]) => disc(x!, y!, 14, wool)).join('') +
    disc(50, 52, 36, wool) +
    area('M24 46Q6 44 6 55q8 10 20 3ZM76 46q18-2 18 9-8 10-20 3Z', face) +
    area('M50 33c16 0 24 10 23 25-1 17-11 28-23 28S28 75 27 58c-1-15 7-25 23-25Z', face) +
    area('M28 42q4-14 22-14t22 14q-10 5-22 3-12 2-22-3Z', wool) +
    line('M33 58q5 5 11 0M67 58q-5 5-11 0', '#fff3e2', 3.4) +
    line('M45 72l5 4 5-4M50 76v4', '#f0a9a4', 3) +
    eyes(32, 68, 4, '#8a655c') +
    line('M74 22h9l-9 9h9', ink, 2.6)
  );
}

function monkey(): string {
  const [fur, skin, ink] = ['#7c4a2a', '#f3cfa2', '#2a140a'];
  return (
    eyes(14, 50, 14, fur) +
    eyes(14, 50, 8, skin) +
    area('M38 20q4-16 14-14-4 5 0 9 4-8 13-6-7 4-5 12Z', fur) +
    ellipse(50, 52, 37, 37, fur) +
    area(
      'M50 44c6-12 27-12 28 6 1 9-3 13-3 20 0 13-11 21-25 21s-25-8-25-21c0-7-4-11-3-20 1-18 22-18 28-6Z',
      skin,
    ) +
    disc(36, 51, 7.6, '#fff') +
    disc(64, 49, 9.6, '#fff') +
    disc(38, 52, 4.2, ink) +
    disc(61, 47, 5, ink) +
    line('M27 39q8-6 15-1M56 34q9-5 17 2', ink, 3) +
    eyes(46.5, 64, 1.7, ink) +
    area('M31 71q20 7 38-3-3 18-19 18-15 0-19-15Z', '#8c2f2a') +
    area('M34 73q17 5 32-2l-1 5q-15 5-29 1Z', '#fff') +
    line('M31 71q20 7 38-3', ink, 2.6)
  );
}

/** Drawings by character. */
export const FACES: Readonly<Record<string, () => string>> = {
  rocco: rooster,
  tilda: tortoise,
  zora: cat,
  otto: elephant,
  luna: sheep,
  kiki: monkey,
};
