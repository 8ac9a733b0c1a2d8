const swc = require('@swc/core');

// dependency-cruiser reads TypeScript with swc but never tells it of JSX.
const { parseFileSync } = swc;
swc.parseFileSync = (path, options) =>
  parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });

/** What a test needs of other rooms is no concern of these rules. */
const product = (path) => ({ path, pathNot: '\\.test\\.tsx?$' });

/** Our own code, as opposed to npm packages and Node's modules. */
const ours =
  '^(contract|domain|interchange|src|src-sw|server|simulation|bench|proof|tests|e2e|scripts)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-imports-valibot-only',
      comment: 'The wire is data both ends share: it depends on nothing of ours.',
      severity: 'error',
      from: product('^contract/'),
      to: { pathNot: '^contract/|(^|/)node_modules/valibot/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules know the wire and nothing else: no clock, no I/O, no packages but pure ones.',
      severity: 'error',
      from: product('^domain/'),
      to: {
        pathNot:
          '^(domain|contract)/|(^|/)node_modules/(valibot|simple-statistics|csv-(parse|stringify))/',
      },
    },
    {
      name: 'features-stay-apart',
      comment: 'Features meet in routes only.',
      severity: 'error',
      from: product('^src/features/([^/]+)/'),
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'features-know-the-shared-folders-only',
      comment:
        'A feature uses outbox, offers, storage, api, offline, lib, ui, questions, domain and contract; a teacher’s one drafts too.',
      severity: 'error',
      from: product('^src/features/([^/]+)/'),
      to: {
        path: ours,
        pathNot:
          '^src/(features|drafts|questions|outbox|offers|storage|api|ui|offline|lib|lazy)/|^(domain|contract|interchange)/',
      },
    },
    {
      name: 'authoring-is-for-teachers',
      comment: 'What only teachers need is not loaded by a student’s screens.',
      severity: 'error',
      from: product(
        '^src/(ui|lib|offline|outbox|storage|api|features/(session|library|passing|results|classes|projects|profile|help))/',
      ),
      to: { path: '^src/(drafts|questions/(form|paste))/|^src/questions/.*authoring[.]tsx?$' },
    },
    {
      name: 'interchange-is-for-authoring',
      comment: 'Formats of other systems are nothing a student’s device needs.',
      severity: 'error',
      from: {
        pathNot:
          '^(interchange|src/questions/paste|src/features/(exchange|ai|admin/import)|tests|e2e|bench)/',
      },
      to: { path: '^interchange/' },
    },
    {
      name: 'interchange-reads-bytes-alone',
      comment: 'Bytes in, questions out: it knows the wire, the rules and parsers, and no screen.',
      severity: 'error',
      from: { path: '^interchange/', pathNot: '[.]test[.]ts$|^interchange/testing/' },
      to: { path: ours, pathNot: '^(interchange|contract|domain)/' },
    },
    {
      name: 'shared-folders-know-no-feature',
      comment: 'They stand below the features, the composition of the app and the routes.',
      severity: 'error',
      from: product('^src/(outbox|offers|storage|api|offline|lib|lazy|questions|drafts|ui)/'),
      to: { path: '^src/(features|app|routes)/|^src/(main|routeTree)' },
    },
    {
      name: 'features-know-no-composition',
      comment: 'The app is put together from features, not the other way round.',
      severity: 'error',
      from: product('^src/features/'),
      to: { path: '^src/(app|routes)/|^src/(main|routeTree)' },
    },
    {
      name: 'routes-are-imported-by-the-tree-only',
      comment: 'Nothing reaches back into the screens that compose it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(routes/|routeTree\\.gen\\.ts)|\\.test\\.tsx?$' },
      to: { path: '^src/routes/' },
    },
    {
      name: 'ui-imports-labels-only',
      comment:
        'Compositions without data: nothing of ours but the domain’s words and its rule of a picked file.',
      severity: 'error',
      from: product('^src/ui/'),
      to: {
        path: ours,
        pathNot: '^src/(?:ui|lazy)/|^domain/(?:(?:labels|format)[^/]*|accepted-file)\\.ts$',
      },
    },
    {
      name: 'idb-in-storage-only',
      comment: 'One folder knows the database of the device.',
      severity: 'error',
      from: { pathNot: '^src/storage/|(^|/)node_modules/' },
      to: { path: '(^|/)node_modules/idb/' },
    },
    {
      name: 'ofetch-in-api-only',
      comment: 'One place sends and classifies errors.',
      severity: 'error',
      from: { pathNot: '^src/api/|(^|/)node_modules/' },
      to: { path: '(^|/)node_modules/ofetch/' },
    },
    {
      name: 'outbox-has-no-screen',
      comment: 'The outbox runs in the worker too: no React, no screens, nothing of the page.',
      severity: 'error',
      from: product('^src/(outbox|storage|api|lazy)/'),
      to: {
        path: '(^|/)node_modules/(react|react-dom|@mantine|@tanstack|@tabler|@modular-forms|@preact)/|^src/(ui|offline|lib|app|features)/',
      },
    },
    {
      name: 'worker-has-no-react',
      comment: 'The worker shares contract, domain, outbox, storage and api.',
      severity: 'error',
      from: product('^src-sw/'),
      to: {
        path: '(^|/)node_modules/(react|react-dom|@mantine|@tanstack|@tabler|@modular-forms|@preact)/|^src/',
        pathNot:
          '^src/(outbox|storage|api)/|^src/offline/(messages|badge|painted-page|pictures-cache|content-cache)\\.ts$',
      },
    },
    {
      name: 'worker-never-reaches-react',
      comment: 'Nor does anything the worker imports, however far.',
      severity: 'error',
      from: product('^src-sw/'),
      to: { path: '(^|/)node_modules/(react|react-dom)/', reachable: true },
    },
    {
      name: 'page-never-imports-the-worker',
      comment: 'Page and worker may differ in version: they share messages, not code.',
      severity: 'error',
      from: product('^src/'),
      to: { path: '^src-sw/' },
    },
    {
      name: 'server-never-imports-the-app',
      severity: 'error',
      comment: 'The server shares contract and domain with the app, nothing more.',
      from: product('^server/'),
      to: { path: '^(src|src-sw|simulation|bench|proof|tests|e2e|scripts)/' },
    },
    {
      name: 'app-never-imports-the-server',
      severity: 'error',
      comment: 'Only the simulation and the tests see both ends.',
      from: { path: '^(src|src-sw|contract|domain)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(server|simulation|bench|proof|tests|e2e|scripts)/' },
    },
    {
      name: 'product-never-imports-tests',
      severity: 'error',
      comment: 'What is shipped does not depend on what checks it.',
      from: {
        path: '^(contract|domain|src|src-sw|server)/',
        pathNot: '\\.test\\.tsx?$',
      },
      to: { path: '^(tests|e2e)/|\\.test\\.tsx?$' },
    },
    {
      name: 'invariants-know-no-product',
      severity: 'error',
      comment:
        'What a student may rely on is stated from what he did and saw: no rule of the product judges itself.',
      from: product('^simulation/(invariants/|scorer[.]ts|evidence[.]ts)'),
      to: {
        path: ours,
        // Shapes of the wire and of the simulation’s own record.
        pathNot:
          '^simulation/(invariants/|(scorer|evidence|history)[.]ts)|^contract/(answers|questions)[.]ts',
      },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A circle has no order in which to read it.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      comment: 'An import nobody can follow is one no rule sees.',
      from: { path: ours },
      to: { couldNotResolve: true, pathNot: '^(virtual:|cloudflare:)' },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    // A built release is a file of the tests, no source.
    exclude: { path: '^(dist|tests/release)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['browser', 'import', 'module', 'node', 'default'],
      mainFields: ['module', 'main'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json', '.css'],
    },
  },
};
