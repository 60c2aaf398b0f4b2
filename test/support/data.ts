/**
 * `describe` for what is measured on the real data sets, which are not in the repository.
 *
 * @param suite - told the folder that `CAIRN_TEST_DATA` names; skipped where it names none
 */
export function describeWithData(name: string, suite: (dir: string) => void): void {
  const dir = process.env.CAIRN_TEST_DATA;
  if (dir) describe(name, () => suite(dir));
  else describe.skip(`${name} [needs CAIRN_TEST_DATA]`, () => suite(''));
}
