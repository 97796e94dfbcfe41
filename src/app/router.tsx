/** The router: one route per built screen of the table, and the navigation rules before each of them. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { devicePolicyOf, needsNewDocument } from '#contract/device-policy.ts'
import { device } from '#ui/device/device-storage.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { parseSearch, stringifySearch } from '#ui/kit/url-state.ts'
import { resolveNavigation, screenAt } from '#ui/navigation/navigation.ts'
import { navigationContext } from '#ui/navigation/navigation-context.ts'
import { returnTo } from '#ui/navigation/return-to.ts'
import type { Screen } from '#ui/navigation/screen.ts'
import { checkVersion } from '#ui/query/app-config.ts'
import { Frame } from '#ui/shell/Frame.tsx'
import { NotFound } from '#ui/shell/NotFound.tsx'
import { queryClient } from './query-client.ts'
import { screens } from './screens.ts'

/** Section 8 of the specification: a part of the program that does not arrive within two minutes is an error. */
const chunkPatience = 120_000

function loadScreen(load: () => Promise<ComponentType>): Promise<{ default: ComponentType }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('This part of the program did not load')), chunkPatience)
    load()
      .then(
        component => resolve({ default: component }),
        error => reject(error),
      )
      .finally(() => clearTimeout(timer))
  })
}

let first = true
/** The first page of a visit, on a device without a station. A reload and the way back lead to where one was. */
function arrives(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  const arrival = first && visit instanceof PerformanceNavigationTiming && visit.type === 'navigate' && !device.read('packingStation')
  first = false
  return arrival
}

const documentPolicy = devicePolicyOf(window.location.pathname)

/** Loads the page that the address names as a document of its own, where the loaded one may use other devices. Sign-in stands in any. */
async function loadAnew(path: string): Promise<void> {
  if (screenAt(path, screens)?.look === 'public' || !needsNewDocument(documentPolicy, devicePolicyOf(path))) return
  router.history.flush()
  // A reload is no arrival, so that it shows this very page.
  window.location.reload()
  await new Promise(() => undefined)
}

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <ErrorState error={error} again={reset} />,
  beforeLoad: async ({ location, preload }) => {
    if (preload) return
    const verdict = resolveNavigation(location.pathname, location.searchStr, { ...navigationContext(), arrives: arrives() }, screens)
    if (verdict.kind === 'redirect') throw redirect({ to: verdict.to, replace: true })
    if (verdict.kind === 'login') {
      returnTo.remember(verdict.remember)
      throw redirect({ to: '/login', replace: true })
    }
    await loadAnew(location.pathname)
  },
})

const routeOf = (screen: Screen) =>
  createRoute({
    getParentRoute: () => root,
    path: screen.path.replace(/\{(\w+)\}/g, '$$$1'),
    component: lazyRouteComponent(() => loadScreen(screen.screen as () => Promise<ComponentType>)),
    ...(screen.prefetch && {
      // Not waited for: the screen shows how far it is.
      loader: ({ location }) => {
        screen.prefetch?.().then(
          ask => ask(queryClient, location),
          () => undefined,
        )
      },
    }),
  })

export const router = createRouter({
  routeTree: root.addChildren(screens.filter(screen => screen.screen).map(routeOf)),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  scrollToTopSelectors: ['#page'],
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} again={reset} />,
  // Going back should not wait for the code of a screen that was just shown.
  defaultPendingMs: 150,
  trailingSlash: 'never',
})

router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
  // The first page has asked on its own, before there was a router.
  if (pathChanged && fromLocation) void checkVersion(toLocation.href)
})
