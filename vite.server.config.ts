import { defineConfig } from 'vite';

/**
 * The server and its commands, one file each beside what they share; npm dependencies stay in node_modules. What
 * the program starts is a file too: browser tests start it for one school after another.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        run: 'server/run.ts',
        environment: 'server/environment.ts',
        backup: 'server/backup/main.ts',
        restore: 'server/backup/restore-main.ts',
        'reset-password': 'server/admin/reset-password-main.ts',
      },
      // All in one folder: what is read beside the code is found from every file.
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        // By its name the demo is left out of the image.
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.endsWith('/server/demo/start.ts') ? 'demo-[hash].js' : 'shared-[hash].js',
      },
    },
  },
});
