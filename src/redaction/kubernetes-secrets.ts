import type { Scan } from './span';

const KIND = /\bkind["']?:\s{0,4}["']?(?:Sealed)?Secret\b/g;
const DATA = /\b(?:data|stringData)["']?:[ \t]{0,4}[{|]?/g;
const ENTRY =
  /(?:^|\n|[{,])[ \t]{0,32}["']?[\w.-]{1,128}["']?:[ \t]{0,4}["']?([A-Za-z0-9+/]{8,512}={0,2})(?=["'\s,}]|$)/g;

/** A manifest longer than this is not looked through to its end; names of secrets still are. */
const REACH = 4000;

/** Every value of a Kubernetes Secret's `data`, whatever its key is called. */
export function detectKubernetesSecrets(scan: Scan): void {
  const { text } = scan;
  KIND.lastIndex = 0;
  let done = 0;
  for (let kind = KIND.exec(text); kind !== null; kind = KIND.exec(text)) {
    const from = Math.max(done, kind.index - REACH);
    const window = text.slice(from, kind.index + REACH);
    done = kind.index + REACH;
    KIND.lastIndex = Math.min(text.length, done);
    DATA.lastIndex = 0;
    const data = DATA.exec(window);
    if (data === null) continue;
    for (const entry of window.slice(data.index).matchAll(ENTRY)) {
      const value = entry[1] ?? '';
      const start = from + data.index + entry.index + entry[0].length - value.length;
      if (/^(?:Opaque|Secret)$/.test(value)) continue;
      scan.spans.push({ start, end: start + value.length, type: 'token' });
    }
  }
}
