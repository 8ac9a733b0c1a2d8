import { defineConfig } from 'vite';

/** The server as one file; its npm dependencies stay in node_modules. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'server/main.ts',
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: { output: { format: 'es', entryFileNames: 'main.js' } },
  },
});
