import { parseSync } from '@swc/core';

/**
 * The SQL statements in a file, with their first line: of a .sql file each statement, of a TypeScript file
 * each string or template that stands for text of its own (what is interpolated becomes `?`).
 *
 * @returns {{sql: string, line: number}[]}
 */
export function sqlStatements(text, file) {
  return file.endsWith('.sql') ? statementsOf(text) : literalsOf(text);
}

/** Comments are blanked, not cut, so that line numbers stay true. */
function withoutSqlComments(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length));
}

function statementsOf(text) {
  const statements = [];
  let line = 1;
  for (const sql of withoutSqlComments(text).split(';')) {
    const leading = sql.length - sql.trimStart().length;
    statements.push({ sql, line: line + countLines(sql.slice(0, leading)) });
    line += countLines(sql);
  }
  return statements;
}

function literalsOf(text) {
  const found = [];
  // swc counts bytes, not characters, and goes on counting from one parse to the next.
  const bytes = Buffer.from(text);
  const module = parseSync(text, { syntax: 'typescript', target: 'es2022' });
  const start = module.span.start - leadingBytes(text);
  const add = (sql, node) => {
    const line = 1 + countLines(bytes.subarray(0, Math.max(0, node.span.start - start)).toString());
    found.push({ sql: withoutSqlComments(sql), line });
  };
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'StringLiteral') return add(node.value, node);
    if (node.type === 'TemplateLiteral' && node.quasis) {
      add(node.quasis.map((quasi) => quasi.raw).join(' ? '), node);
      return visit(node.expressions);
    }
    Object.values(node).forEach(visit);
  };
  visit(module.body);
  return found;
}

/** The module's span begins at its first token, after comments and blank lines. */
function leadingBytes(text) {
  const code = text.replace(/^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/, '');
  return Buffer.byteLength(text) - Buffer.byteLength(code);
}

function countLines(text) {
  return text.split('\n').length - 1;
}
