/** Where a project keeps its chipset file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const places = ['chipset.yaml', 'chipset/gastown.yaml', 'chipset/chipset.yaml'];

/** Relative to `root`; undefined where there is none. */
export const chipsetPlace = (root: string): string | undefined => places.find((place) => existsSync(join(root, place)));

export const existsChipset = (root: string): boolean => chipsetPlace(root) !== undefined;
