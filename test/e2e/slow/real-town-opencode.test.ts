/** The real opencode in a town; apart from the others for its time and memory. */
import { it } from 'vitest';
import { executesBead } from '../support/real-town.ts';

it('opencode executes a bead slung to it, told by its preamble (seed 001)', () =>
  executesBead({ runtime: 'opencode', strategy: 'prompt_preamble', primes: false, primeIn: 0, limitMs: 200_000 }));
