import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { type Plugin, createServer, defineConfig, minifySync } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { editorFiles } from './scripts/lib/editor-chunks.mjs';
import type * as PaintedSignIn from './src/app/painted-sign-in.tsx';

const packageVersion = (
  JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }
).version;
const appVersion = process.env['APP_VERSION'] ?? `${packageVersion}+dev`;
const apiPort = process.env['API_PORT'] ?? '3001';
const api = `http://127.0.0.1:${apiPort}`;

/**
 * Signing in and taking a test are one piece: a first visit that loses the network has all of it, and one file weighs
 * less than thirty. Every other screen comes when it is opened.
 */
const firstScreens = ['/_public', '/_public/login', '/_signed', '/tests/$testId/'];

/** Names of classes as short as they stay unique: the local one and a mark of its file. */
const classOf = (name: string, file: string) => {
  const path = relative(import.meta.dirname, file).replaceAll('\\', '/');
  return `${name}-${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`;
};

/** Every supported browser reads woff2; without this the build carries each formula font three times. */
const woff2Only = (): Plugin => ({
  name: 'katex-woff2-only',
  enforce: 'pre',
  transform(code, id) {
    if (!/katex[^/]*\.css/.test(id)) return null;
    return {
      code: code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'][^"']*["']\)/g, ''),
      map: null,
    };
  },
});

/** The summaries of routes are for the documentation of the API, which the server writes. */
const withoutSummaries = (): Plugin => ({
  name: 'without-summaries',
  enforce: 'pre',
  transform: (code, id) =>
    /\/contract\/[\w-]+\.ts$/.test(id)
      ? { code: code.replace(/^  summary:\s*(?:'[^'\n]*'|"[^"\n]*"),/gm, ''), map: null }
      : null,
});

/** Texts in components of Mantine get elements of their own, as ours do (`jsxImportSource`). */
const mantineJsx = (): Plugin => ({
  name: 'mantine-jsx',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'react/jsx-runtime' && /\/node_modules\/@mantine\//.test(importer ?? '')
      ? resolve(import.meta.dirname, 'src/jsx/jsx-runtime.ts')
      : null,
});

/**
 * Disables the styles that MantineProvider computes at runtime: css-variables.gen.css and our own classes replace them.
 */
const noProviderStyles = (): Plugin => ({
  name: 'no-provider-styles',
  enforce: 'pre',
  load(id) {
    const name = /\/(MantineCssVariables|MantineClasses)\.mjs$/.exec(id)?.[1];
    return name === undefined ? null : `export const ${name} = () => null;`;
  },
});

const MAIN = resolve(import.meta.dirname, 'src/main.ts');
const START_APP = resolve(import.meta.dirname, 'src/app/start-app.tsx');

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

/** Modules of the page's script, which opens the device; the rest of the first load shows the app. */
let ofDevice: Set<string> | undefined;

function nameFirstLoad(id: string, graph: ModuleGraph): 'device' | 'screens' {
  if (!ofDevice) {
    ofDevice = new Set([MAIN]);
    for (const one of ofDevice)
      for (const next of graph.getModuleInfo(one)?.importedIds ?? []) ofDevice.add(next);
  }
  return ofDevice.has(id) ? 'device' : 'screens';
}

/**
 * The app's scripts are fetched at once, but public/start.js runs the first one after the page's own text is painted: it
 * occupies a slow phone. A hidden page paints nothing, so it does not wait.
 */
const startAfterPaint = (): Plugin => ({
  name: 'start-after-paint',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk');
      const chunkOf = (isIt: (chunk: (typeof chunks)[number]) => boolean) => {
        const chunk = chunks.find(isIt);
        if (!chunk) throw new Error('The first load lacks a script.');
        return chunk;
      };
      const device = chunkOf(({ moduleIds }) => moduleIds.includes(MAIN));
      const screens = chunkOf(({ moduleIds }) => moduleIds.includes(START_APP));
      // It only exports what the screens' file has.
      const entry = chunkOf(({ facadeModuleId }) => facadeModuleId === START_APP);
      const files = [device, screens, entry].flatMap(({ fileName, imports }) => [
        fileName,
        ...imports,
      ]);
      const preloads = [...new Set(files)]
        .map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`)
        .join('');
      return html
        .replaceAll(
          /\s*<(?:script type="module"|link rel="modulepreload") [^>]*>(?:<\/script>)?/g,
          '',
        )
        .replace('</head>', `  ${preloads}\n  </head>`)
        .replace(
          '</body>',
          `<script src="/start.js" data-app="/${device.fileName}"></script>\n  </body>`,
        );
    },
  },
});

/** Its own build by file: what only lists of fields use stays out of the first load. */
const MODULAR_FORMS = {
  '@modular-forms/react': resolve(
    import.meta.dirname,
    'node_modules/@modular-forms/react/dist/source/index.js',
  ),
};
const css = { modules: { generateScopedName: classOf } };

/** The page contains the sign-in, which start.js shows until the app does. */
const paintSignIn = (): Plugin => ({
  name: 'paint-sign-in',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: async (html) => {
      const renderer = await createServer({
        configFile: false,
        logLevel: 'error',
        appType: 'custom',
        server: { middlewareMode: true, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true },
        plugins: [react({ jsxImportSource: '#jsx' })],
        css,
        resolve: { alias: MODULAR_FORMS },
        ssr: { noExternal: [/@modular-forms/] },
      });
      try {
        const page = await renderer.ssrLoadModule('/src/app/painted-sign-in.tsx');
        const { renderSignIn } = page as typeof PaintedSignIn;
        return html.replace(
          '<template id="sign-in">',
          `<template id="sign-in"><div id="painted">${renderSignIn()}</div><script src="/painted.js"></script>`,
        );
      } finally {
        await renderer.close();
      }
    },
  },
});

const BROWSERS = ['chrome100', 'safari15.4'];

/** Vite copies what is public as it is; the page's own scripts are part of the first load. */
const minifyPublicScripts = (): Plugin => ({
  name: 'minify-public-scripts',
  apply: 'build',
  writeBundle({ dir }) {
    const source = resolve(import.meta.dirname, 'public');
    for (const name of readdirSync(source).filter((one) => one.endsWith('.js'))) {
      const { code, errors } = minifySync(name, readFileSync(resolve(source, name), 'utf8'), {
        module: false,
        compress: { target: BROWSERS },
      });
      if (dir === undefined || errors.length > 0) throw new Error(`${name} cannot be minified.`);
      writeFileSync(resolve(dir, name), code);
    }
  },
});

/** Files of this build that only editors of tests load. */
let forEditors: ReadonlySet<string> = new Set();

const findEditorFiles = (): Plugin => ({
  name: 'find-editor-files',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).flatMap((output) =>
      output.type === 'chunk'
        ? [{ ...output, css: [...(output.viteMetadata?.importedCss ?? [])] }]
        : [],
    );
    // The worker's own bundle has no screens.
    if (chunks.length > 1) forEditors = editorFiles(chunks);
  },
});

export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(appVersion) },
  plugins: [
    withoutSummaries(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      routeFileIgnorePattern: '\\.test\\.',
      quoteStyle: 'single',
      semicolons: true,
      addExtensions: true,
      codeSplittingOptions: {
        splitBehavior: ({ routeId }) => (firstScreens.includes(routeId) ? [] : undefined),
      },
    }),
    react({ jsxImportSource: '#jsx' }),
    mantineJsx(),
    woff2Only(),
    noProviderStyles(),
    startAfterPaint(),
    paintSignIn(),
    findEditorFiles(),
    minifyPublicScripts(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src-sw',
      filename: 'sw.ts',
      injectRegister: false,
      includeManifestIcons: false,
      injectManifest: {
        target: BROWSERS,
        // A classic worker has no import.meta, which the module format's preload helper reads.
        rollupFormat: 'iife',
        globPatterns: [
          'index.html',
          'favicon.svg',
          '{scheme,start,painted}.js',
          'icons/*.png',
          'assets/*.{js,css}',
          'assets/golos-text-{cyrillic,latin}-wght-normal-*.woff2',
          'assets/KaTeX_*.woff2',
        ],
        // The charts of the statistics weigh 80 KB and are nothing a student's device needs.
        // Nor are files of other systems, which are read where tests are made.
        globIgnores: ['**/node_modules/**', 'assets/BarsChart-*.js', 'assets/interchange-*.js'],
        manifestTransforms: [
          (entries) =>
            Promise.resolve({ manifest: entries.filter(({ url }) => !forEditors.has(url)) }),
        ],
      },
      devOptions: { enabled: true, type: 'module' },
      manifest: {
        id: '/',
        name: 'Учебная платформа',
        short_name: 'Тесты',
        description: 'Тесты, которые не теряют ответы без сети',
        lang: 'ru',
        dir: 'ltr',
        start_url: '/tests/my',
        scope: '/',
        display: 'standalone',
        theme_color: '#f1f2f5',
        background_color: '#f1f2f5',
        categories: ['education'],
        icons: [
          { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
          {
            src: '/icons/maskable-512.png',
            sizes: '512x512',
            type: 'image/png',
            purpose: 'maskable',
          },
        ],
      },
    }),
  ],
  resolve: {
    alias: {
      // What this package gives to browsers asks the page for help, and a worker has no page.
      'decode-named-character-reference': resolve(
        import.meta.dirname,
        'node_modules/decode-named-character-reference/index.js',
      ),
      ...MODULAR_FORMS,
    },
  },
  worker: {
    format: 'es',
    rolldownOptions: {
      output: {
        // Codes are read without a network, so that their worker is precached.
        entryFileNames: ({ name }) =>
          `assets/${name === 'qr-worker' ? '' : 'interchange-'}[name]-[hash].js`,
        chunkFileNames: 'assets/interchange-[name]-[hash].js',
      },
    },
  },
  css,
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    target: BROWSERS,
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    // It would run after the imports that it hastens.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The second one is loaded by the first; as an entry it is part of the first load.
      input: { index: resolve(import.meta.dirname, 'index.html'), app: START_APP },
      // Fields are set and not defined where they are lowered; none of ours or theirs hides a setter.
      transform: { assumptions: { setPublicClassFields: true } },
      output: {
        // The first load names every chunk, and hashes do not compress: 7 characters are enough.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // What stores and sends answers is the first file, what every page shows the second: split into ten they
        // compress 5 % worse. What thirteen screens or more share stands in another: a list of tests asks for 9 files
        // instead of 44.
        codeSplitting: {
          groups: [
            { name: nameFirstLoad, tags: ['$initial'], priority: 2 },
            { name: 'shared', minShareCount: 13, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 3000,
    proxy: Object.fromEntries(
      ['/api', '/.well-known', '/healthz', '/readyz', '/metrics'].map((path) => [
        path,
        { target: api },
      ]),
    ),
  },
});
