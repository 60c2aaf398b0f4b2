// The rules of this house that no general linter knows. Each says why, because a rule whose reason is
// forgotten is the next one to be switched off.
//
// Usage: node scripts/house-rules.mjs [folder, default: this project]
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sqlStatements } from './sql-statements.mjs';

const ROOT = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const MOST_LINES = 400;

/** Where cards are written, or where the one way to read them is defined. */
const CARD_FILES = [
  /^src\/store\/filing[^/]*\.ts$/,
  /^src\/store\/card-writes[^/]*\.ts$/,
  // People list what they may restore, which visible_cards rightly shows nobody.
  /^src\/store\/cards-deleted\.ts$/,
  /^src\/store\/visible-cards[^/]*\.(ts|sql)$/,
  // Parts of one statement, which opens with visible_cards or is judged by visible_among.
  /^src\/store\/recall-(?:arms|context|fragments|many|statement|survey)\.ts$/,
  /^src\/store\/rollup\.ts$/,
  // How many there are, for a quota: it reads nothing of any.
  /^src\/store\/usage\.ts$/,
  /^src\/store\/migrations\//,
];
const READS_CARDS = /\b(?:from|join|using)\s+(?:only\s+)?(?:\w+\.)?cards\b(?!\s*\()/i;

/** Hosts that a mirror or another company would not have; kept apart so that this file passes. */
const REGISTRY_HOSTS = ['registry.npmjs', 'registry.yarnpkg', 'files.pythonhosted', 'proxy.golang'];

const RULES = [
  {
    name: 'environment-in-config',
    why: 'only src/config reads the environment, so that one place lists and checks every option',
    files: /^src\/(?!config\/).*\.ts$/,
    lines: /\bprocess\s*(?:\.\s*env|\[\s*['"]env['"]\s*\])\b/,
  },
  {
    name: 'cards-by-visible-cards',
    why: 'a statement that reads cards past visible_cards( shows one reader what belongs to another',
    files: /^src\/.*\.(ts|sql)$/,
    except: CARD_FILES,
    find: (text, file) =>
      sqlStatements(text, file)
        .filter(({ sql }) => READS_CARDS.test(sql) && !/\bvisible_cards\s*\(/i.test(sql))
        .map(({ line }) => line),
  },
  {
    name: 'insights-by-one-path',
    why: 'every insight is made by insertInsight, whatever its origin: a second way would skip score, baseline and blocks',
    files: /^src\/.*\.ts$/,
    except: [/^src\/store\/insights\.ts$/],
    lines: /\binsert\s+into\s+insights\b/i,
  },
  {
    name: 'short-files',
    why: `a file above ${MOST_LINES} lines holds more than one noun`,
    files: /^(?:src|console)\/.*\.(tsx?|sql|css|html|js)$/,
    find: (text) => (text.trimEnd().split('\n').length > MOST_LINES ? [MOST_LINES + 1] : []),
  },
  {
    name: 'no-place-of-ours',
    why: 'a path of one machine or the host of one registry works for one of us',
    files: /./,
    except: [/^package-lock\.json$/],
    lines: new RegExp(
      [
        ...[ROOT, homedir()]
          .filter((path) => path.length > 1)
          .map((path) => `${escaped(path)}(?![\\w-])`),
        '(?:^|[\\s\'"`(=:])/(?:root|work)/[\\w.]',
        ...REGISTRY_HOSTS.map((host) => `${escaped(host)}\\.\\w`),
      ].join('|'),
    ),
  },
  {
    name: 'deterministic',
    why: 'a workflow is replayed and a formula is tested: both get the time and the dice as arguments',
    files: /^src\/(?:workflows|domain|adapters\/temporal\/workflow)\/.*\.ts$/,
    // In Temporal's sandbox `Date.now` is the workflow's own time, and these files say so.
    except: [/^src\/(?:adapters\/temporal\/workflow|workflows)\/workflow-time\.ts$/],
    lines:
      /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bcrypto\.random|\bfrom\s+['"]node:|\brequire\(/,
  },
  {
    name: 'no-focused-tests',
    why: 'one focused test silences all others',
    files: /^test\/.*\.ts$/,
    lines: /\b(?:it|test|describe)\.only\b|\bf(?:it|describe)\(/,
  },
  {
    name: 'skips-say-why',
    why: 'a skipped test without a comment on its line or the one above is a guarantee quietly dropped',
    files: /^test\/(?!support\/).*\.ts$/,
    find: (text) => {
      const lines = text.split('\n');
      return lines.flatMap((line, at) =>
        /\b(?:it|test|describe)\.skip\b|\bx(?:it|describe)\(/.test(line) &&
        !/\/\/|\*\//.test(line) &&
        !/^\s*(?:\/\/|\*|\/\*)/.test(lines[at - 1] ?? '')
          ? [at + 1]
          : [],
      );
    },
  },
];

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Comments may name what the code may not use. */
function isComment(line) {
  return /^\s*(?:\/\/|\*|\/\*|--)/.test(line);
}

function matchingLines(rule, text) {
  if (rule.find) return null;
  const skipComments = rule.name !== 'no-place-of-ours';
  return text
    .split('\n')
    .flatMap((line, at) =>
      rule.lines.test(line) && !(skipComments && isComment(line)) ? [at + 1] : [],
    );
}

/** Neither a deleted file that git still lists, nor a link. */
function isFile(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function projectFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((file) => file !== '' && isFile(join(ROOT, file)))
    .sort();
}

const findings = [];
const files = projectFiles();
for (const file of files) {
  const rules = RULES.filter(
    (rule) => rule.files.test(file) && !rule.except?.some((exception) => exception.test(file)),
  );
  if (rules.length === 0) continue;
  const bytes = readFileSync(join(ROOT, file));
  if (bytes.includes(0)) continue;
  const text = bytes.toString('utf8');
  for (const rule of rules) {
    for (const line of matchingLines(rule, text) ?? rule.find(text, file)) {
      findings.push(`${file}:${line}  ${rule.name}: ${rule.why}`);
    }
  }
}
for (const finding of findings) console.log(finding);
console.log(`${findings.length} findings in ${files.length} files, ${RULES.length} rules`);
process.exitCode = findings.length === 0 ? 0 : 1;
