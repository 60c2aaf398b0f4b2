/** Builds the console into dist/console, each file beside its compressed copies, which the API serves. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { pastBarrels } from './past-barrels.mts';

const COMPRESSED = /\.(js|css|html|svg|json)$/;
/** Below this a compressed copy saves less than its headers cost. */
const WORTHWHILE_BYTES = 1_024;

const API = process.env.CAIRN_CONSOLE_API ?? 'http://127.0.0.1:4747';

function compressed(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        // The page itself is written anew for each answer, for the sake of its nonce.
        if (!entry.isFile() || !COMPRESSED.test(entry.name) || entry.name === 'index.html')
          continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        if (bytes.length < WORTHWHILE_BYTES) continue;
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [pastBarrels('@mantine/core', '@tabler/icons-react'), compressed()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Since when browsers know light-dark() themselves; for older ones it would be rewritten, and wrongly.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // An inlined asset would be a data: URL, which the policy of the page allows for images alone.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      onwarn(warning, warn) {
        // "use client" is for frameworks that render on a server.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  // For work on the pages: `npx vite console`, beside a Cairn that runs.
  server: { proxy: { '/v1': { target: API, headers: { origin: API } } } },
});
