/** The build of the browser's side: pages, service worker, icons, compressed copies, and the version that the conf file names. */
import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import sharp from 'sharp'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { budgets } from './scripts/budgets.ts'
import { librariesFile } from './scripts/libraries-file.ts'
import { publicPages } from './scripts/public-pages.ts'
import { devicePaths, permissionsPolicy } from './src/contract/device-policy.ts'
import { locales } from './src/contract/limits.ts'
import { translationBundle } from './src/platform/http/translations.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
/** The build script names it by the hash of the sources. */
const build = process.env.PAKHUS_BUILD ?? Date.now().toString(36)
const out = 'dist/web'

/** The pages: the shell, and the public pages that stand alone. */
const pages = ['index.html', 'tracking.html', 'return-portal.html', 'answer.html'].filter(page => exists(page))

/** Packages that a screen opens on demand: too large to keep on every device beforehand. */
const onDemand = ['**/zxing*', '**/*.wasm', '**/BuildingBlocks*', '**/bwip*', '**/pdf*']

const among = (...places: string[]) => new RegExp(places.map(place => place.replaceAll('/', '[\\\\/]')).join('|'))
const kit = (...components: string[]) => `@mantine/core/.*/components/(${components.join('|')})/`

/** Each file costs a slow tablet some milliseconds, however small it is: what is always wanted together lies in one. */
const chunks = [
  // A chunk of its own comes first: a shared chunk would be evaluated before the policies stand.
  { name: 'trusted', test: among('src/ui/(device/trusted-types|navigation/document-title)\\.ts$') },
  // All that the recipient's page has in common with the shell: inside the shell it would bring the whole of it along.
  { name: 'preload', test: among('vite/preload-helper', 'src/domain/objects\\.ts$') },
  // What the public pages share, for the same reason.
  {
    name: 'public-page',
    test: among('src/features/shipping/tracking/page/(dom\\.client|shop-frame\\.client|page-language\\.labels)\\.ts$'),
  },
  { name: 'shell', test: among('src/app/browser\\.tsx$') },
  ...Object.entries({
    fields: among(
      kit('Input', 'InputBase', 'TextInput', 'NativeSelect', 'PasswordInput', 'Alert', 'CloseButton', 'Paper'),
      '@mantine/core/.*/(ComboboxChevron|Combobox.module|get-parsed-combobox-data|is-options-group)',
      '@mantine/core/esm/core/(?!MantineProvider/use)',
      '@mantine/hooks/.*/(utils|use-(id|uncontrolled|merged-ref))/',
    ),
    // What opens over a screen loads when it opens; a menu is there at once.
    dialogs: among(
      kit('Modal', 'ModalBase', 'Drawer', 'NativeScrollArea'),
      'src/ui/kit/(DialogModal|DrawerPanel|FirstFocus|first-focus)\\.',
      '/(react-remove-scroll|react-remove-scroll-bar|use-sidecar|use-callback-ref|react-style-singleton|tslib)/',
    ),
    layers: among(
      kit('ScrollArea', 'Popover', 'Overlay', 'FocusTrap', 'Floating', 'Portal'),
      '@mantine/core/esm/(core/MantineProvider|utils/(?!In))',
      // Sliders, drags and folds stand on few pages.
      '@mantine/hooks/(?!.*/use-(drag|collapse|move|eye-dropper)/)',
      '@floating-ui/',
    ),
    checks: among(kit('Checkbox'), '@mantine/core/.*/In(lineInput|putsGroup)'),
    choices: among(kit('Combobox', 'Select', 'Autocomplete', 'Pill', 'PillsInput')),
    page: among('src/ui/kit/(Page|QueryState|StateBadge|RelativeTime)\\.'),
    table: among('src/ui/kit/(table/|FilterBar|ActionBar|DataTable|list-state|saved-views)'),
  }).map(([name, test]) => ({ name, test, includeDependenciesRecursively: false })),
  { name: 'icons', test: among('@tabler/'), minShareCount: 3, includeDependenciesRecursively: false },
  // Forms check what is written with it; the first paint of most screens needs none of it.
  { name: 'zod', test: among('node_modules/zod/'), includeDependenciesRecursively: false },
  {
    // The grammar of rules is shared by pages of settings only, calendar days and countries by pages of the office.
    name: 'contracts',
    test: among('src/.*\\.(contract|codes)\\.ts$', 'src/domain/(?!rules/|local-time|countries)', 'src/contract/(?!page|.*schemas)'),
    minShareCount: 7,
    includeDependenciesRecursively: false,
  },
].map((group, place) => ({ ...group, priority: 100 - place }))

/** Pages that may use devices: the worker answers them with the same shell under their own policy. */
const devicePages = devicePaths.map(({ policy, paths }) => {
  const among = `(?:${paths.map(path => path.replace(/\/$/, '')).join('|')})/?(?:\\?.*)?$`
  const answer = (headers: string) =>
    `async ({ request }) => {
      const kept = await caches.match('/index.html', { ignoreSearch: true })
      if (!kept) return fetch(request)
      const headers = new Headers(kept.headers)
      for (const stored of ['content-encoding', 'content-length']) headers.delete(stored)
      headers.set('permissions-policy', ${JSON.stringify(headers)})
      return new Response(kept.body, { headers })
    }`
  // Workbox writes the text of the handler into the worker.
  const handler = Object.assign(async () => new Response(), { toString: () => answer(permissionsPolicy(policy)) })
  return { path: new RegExp(`^${among}`), address: new RegExp(`^https?://[^/]+${among}`), handler }
})

/** The server, which is asked with the host name as it came: its first label is the company. */
const api = { target: process.env.API_ORIGIN ?? 'http://127.0.0.1:8080', changeOrigin: false }

export default defineConfig(
  async ({ mode }): Promise<UserConfig> => ({
    root: '.',
    publicDir: false,
    define: {
      __VERSION__: JSON.stringify(version),
      __BUILD__: JSON.stringify(mode === 'production' ? build : 'development'),
      __WORDS__: JSON.stringify(
        Object.fromEntries(await Promise.all(locales.map(async one => [one, (await translationBundle(one)).hash]))),
      ),
    },
    plugins: [
      react(),
      icons(),
      VitePWA({
        registerType: 'prompt',
        injectRegister: null,
        manifestFilename: 'manifest.webmanifest',
        manifest: {
          name: 'Pakhus',
          short_name: 'Pakhus',
          description: 'Warehouse and shipping for web shops',
          start_url: '/',
          display: 'standalone',
          id: '/',
          shortcuts: [
            { name: 'Pick', url: '/pick', icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }] },
            { name: 'Scan and pack', url: '/', icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }] },
          ],
          background_color: '#faf8f4',
          theme_color: '#14597a',
          icons: [
            { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
            { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
            { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
            { src: '/icons/mark.svg', sizes: 'any', type: 'image/svg+xml' },
          ],
        },
        workbox: {
          globPatterns: ['index.html', 'assets/*.{js,css}', 'assets/inter-latin-wght*.woff2', 'icons/*.{svg,png}'],
          globIgnores: ['**/tracking*', '**/return-portal*', '**/answer*', '**/public-page*', ...onDemand],
          inlineWorkboxRuntime: true,
          sourcemap: false,
          cleanupOutdatedCaches: true,
          // The first visit has the code of every screen in a gap of the network too.
          clientsClaim: true,
          navigateFallback: '/index.html',
          // Everything that the server answers itself; the worker must never stand between a screen and the truth.
          // `/` is no other name of `/index.html`: it has headers of its own.
          directoryIndex: null,
          navigateFallbackDenylist: [
            ...devicePages.map(({ path }) => path),
            /^\/(api|api_server|docs|translations|files|tracking|answer|rma-landing-page|rma-landing-page-preview|stats|healthz|readyz|metrics)(\/|$)/,
            /\.[a-z0-9]+$/i,
          ],
          runtimeCaching: [
            ...devicePages.map(({ address, handler }) => ({ urlPattern: address, handler })),
            {
              // The address carries the build, so a kept copy is never stale.
              urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/translations/') && url.searchParams.has('v'),
              handler: 'CacheFirst',
              options: { cacheName: 'translations', expiration: { maxEntries: 12 } },
            },
            {
              // The camera's reader is too large to keep on every device, and stays on those that have used it: a picker scans in dead spots too.
              urlPattern: ({ url, sameOrigin }) => sameOrigin && /^\/assets\/(zxing[^/]*|[^/]*\.wasm)$/.test(url.pathname),
              handler: 'CacheFirst',
              options: { cacheName: 'camera', expiration: { maxEntries: 8 } },
            },
          ],
        },
      }),
      publicPages(),
      budgets({
        'index.html': {
          first: 160,
          opened: 350,
          screens: { LoginScreen: 176, ScanScreen: 224, OrdersScreen: 254, PickScreen: 210, PrinterSettingsScreen: 250 },
        },
        'tracking.html': { first: 12, opened: 12 },
        'return-portal.html': { first: 20, opened: 20 },
        'answer.html': { first: 15, opened: 15 },
      }),
      versionFile(),
      compiledAtOnce('shell'),
      librariesFile(),
      compressed(),
    ],
    build: {
      outDir: out,
      target: 'es2023',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
      modulePreload: {
        polyfill: false,
        // A link for each part of a screen costs a slow tablet more than the browser's finding them in the first of them.
        resolveDependencies: (file, needed, { hostType }) =>
          hostType === 'js' ? needed.filter(one => one === file || one.endsWith('.css')) : needed,
      },
      rolldownOptions: {
        input: pages,
        output: {
          codeSplitting: { groups: chunks },
        },
      },
    },
    server: {
      port: Number(process.env.WEB_PORT ?? 5173),
      allowedHosts: ['.localhost'],
      proxy: {
        ...Object.fromEntries(
          ['/api', '/api_server', '/conf.json', '/translations', '/openapi.json', '/docs', '/healthz'].map(path => [path, api]),
        ),
        // The page is ours, the request of its form and what it asks are the server's.
        '/setup': { ...api, bypass: ({ method, url }) => (method === 'GET' && url === '/setup' ? url : undefined) },
      },
    },
  }),
)

function exists(file: string): boolean {
  try {
    readFileSync(file)
    return true
  } catch {
    return false
  }
}

/** `dist/web/build.json` tells the server which version it hands out; the conf file repeats it. */
function versionFile(): Plugin {
  return {
    name: 'version-file',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ version, build }) })
    },
  }
}

/**
 * A browser that knows the comment compiles the whole file beside its download. Almost all of the file runs before the first screen stands,
 * and each function that is compiled when it is called holds up the page. Source: V8, Explicit compile hints (https://v8.dev/blog/explicit-compile-hints).
 */
function compiledAtOnce(name: string): Plugin {
  return {
    name: 'compiled-at-once',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        // It counts in the first line only, before what Vite writes there.
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.name === name) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      },
    },
  }
}

/** Every icon is drawn from the one mark. */
function icons(): Plugin {
  const draw = async (): Promise<Map<string, Buffer>> => {
    const mark = await readFile('src/ui/mark.svg', 'utf8')
    const path = /<path[^>]+>/.exec(mark)?.[0] ?? ''
    const tile = (scale: number, corner: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="${corner}" fill="#14597a"/>` +
      `<g transform="translate(8 8) scale(${scale}) translate(-8 -8)" fill="#fff" fill-rule="evenodd">${path}</g></svg>`
    const png = (svg: string, size: number) =>
      sharp(Buffer.from(svg), { density: 72 * (size / 16) })
        .resize(size, size)
        .png()
        .toBuffer()
    const files = new Map<string, Buffer>([['icons/mark.svg', Buffer.from(mark)]])
    files.set('icons/icon-32.png', await png(mark, 32))
    for (const size of [180, 192, 512]) files.set(`icons/icon-${size}.png`, await png(tile(0.62, size === 180 ? 0 : 3), size))
    files.set('icons/icon-maskable-512.png', await png(tile(0.5, 0), 512))
    return files
  }
  return {
    name: 'icons',
    async generateBundle() {
      for (const [fileName, source] of await draw()) this.emitFile({ type: 'asset', fileName, source })
    },
    configureServer(server) {
      const drawn = draw()
      server.middlewares.use((request, response, next) => {
        const name = (request.url ?? '').split('?')[0]?.slice(1) ?? ''
        if (!name.startsWith('icons/')) return next()
        void drawn.then(files => {
          const file = files.get(name)
          if (!file) return next()
          response.setHeader('content-type', name.endsWith('.svg') ? 'image/svg+xml' : 'image/png')
          response.end(file)
        }, next)
      })
    },
  }
}

/** `.br` and `.gz` beside every text file, so that the server compresses nothing at request time. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        const names = await readdir(out, { recursive: true })
        for (const name of names.filter(one => /\.(js|css|html|svg|json|webmanifest|wasm)$/.test(one))) {
          const bytes = await readFile(join(out, name))
          if (bytes.length < 1024) continue
          await Promise.all([
            brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).then(
              small => writeFile(join(out, `${name}.br`), small),
            ),
            zip(bytes, { level: 9 }).then(small => writeFile(join(out, `${name}.gz`), small)),
          ])
        }
      },
    },
  }
}
