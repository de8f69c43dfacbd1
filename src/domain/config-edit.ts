/** One value of `gastown.yaml`, changed in its text: comments, order and everything else stay as they were. */
import { isScalar, parseDocument } from 'yaml';

/** The new text. A value that is there is replaced in place; a missing key is added where its parents are, or with them. */
export function setInYaml(text: string, path: readonly string[], value: string | number): string {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(bom.length);
  const document = parseDocument(body);
  const node = document.getIn(path, true);
  if (isScalar(node) && node.range) {
    const [from, to] = node.range;
    return `${bom}${body.slice(0, from)}${value}${body.slice(to)}`;
  }
  document.setIn([...path], value);
  const isPadded = !/\{\S/.test(body);
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: isPadded });
  return bom + (body.includes('\r\n') ? edited.replace(/\r?\n/g, '\r\n') : edited);
}
