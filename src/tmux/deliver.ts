import type { DeliveryProfile, Receipt } from '../domain/delivery.ts';
import type { Tmux } from './driver.ts';
export async function deliver(
  tmux: Tmux,
  target: { pane_id: string; expectedPid: number },
  text: string,
  profile: DeliveryProfile,
  options: { lockDir: string; scale: number; proof: () => Promise<boolean> },
): Promise<Receipt> {
  await tmux.run(['load-buffer', '-b', 'x', '-'], { input: text });
  await tmux.run(['paste-buffer', '-p', '-r', '-d', '-b', 'x', '-t', target.pane_id]);
  await new Promise((r) => setTimeout(r, profile.submit.delayMs));
  await tmux.run(['send-keys', '-t', target.pane_id, profile.submit.key]);
  void options;
  return { kind: 'unverified', why: 'shim' };
}
