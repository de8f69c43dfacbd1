/** A phrase on a screen, however narrow the pane that wrapped it: white space and the lines of a box may stand between. */
export function phrase(text: string, flags = ''): RegExp {
  const words = text.split(' ').map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(words.join('[\\s│┃]+'), flags);
}
