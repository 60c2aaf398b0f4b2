/** Tries of one search; each is a request. */
const TRIES = 300;

/**
 * The shortest part of an input that still fails, as far as leaving out ever smaller pieces finds it.
 * @param fails whether this input shows the fault too
 */
export async function smallest(
  input: Buffer,
  fails: (input: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let best = input;
  let tries = 0;
  for (let piece = Math.ceil(best.length / 2); piece >= 1; piece = Math.floor(piece / 2)) {
    for (let at = 0; at < best.length && tries < TRIES; ) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + piece)]);
      tries += 1;
      if (shorter.length < best.length && (await fails(shorter))) best = shorter;
      else at += piece;
    }
  }
  return best;
}
