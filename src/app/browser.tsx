/** The beginning of the browser's side: who is here, in which language, and then the page. */
import '@fontsource-variable/inter/wght.css'
import '#ui/mantine.css'
import '#ui/theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { offerConsoleHelpers } from '#ui/device/console.ts'
import { device } from '#ui/device/device-storage.ts'
import { Toasts } from '#ui/kit/Toasts.tsx'
import { colorScheme, cssVariables, theme } from '#ui/kit/theme.ts'
import { preferredLocale, speak } from '#ui/kit/translate.ts'
import { checkVersion, fetchAppConfig } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { fetchScreen } from '#ui/query/fetch-screen.ts'
import { invalidateOnChanges } from '#ui/query/query-invalidation.ts'
import { followOtherTabs, onSessionEnd, resumeSession } from '#ui/query/session.ts'
import { listenToKeys } from '#ui/shell/shortcuts.ts'
import { router, wanted } from './router.tsx'
import { registerServiceWorker } from './service-worker.ts'

const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 300_000,
      // The browser's idea of "offline" is often wrong in a warehouse: ask, and let the answer tell.
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && error instanceof CallError && [444, 502, 503, 504].includes(error.status),
      retryDelay: failures => 400 * 2 ** failures,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

const showDensity = () => {
  document.documentElement.dataset.density = device.read('density') ?? 'comfortable'
}

async function begin(): Promise<void> {
  offerConsoleHelpers()
  showDensity()
  device.watch(showDensity)
  listenToKeys()
  followOtherTabs()
  invalidateOnChanges(cache)
  onSessionEnd(() => {
    cache.clear()
    const { pathname, searchStr } = router.state.location
    if (pathname !== '/login') wanted.remember(pathname === '/' ? null : pathname + searchStr)
    void router.navigate({ to: '/login', replace: true })
  })
  // The conf file, the words, the session and the code of the screen are asked for together; none of them waits for another.
  const conf = fetchAppConfig()
  fetchScreen(location.pathname)
  await Promise.all([speak(preferredLocale(device.read('user')?.locale)), resumeSession(), Promise.race([conf, pause(800)])])
  // With its code there the screen is drawn at once; without, the frame around it does not wait for long.
  await Promise.race([router.load(), pause(400)])
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorScheme} defaultColorScheme="auto">
        <QueryClientProvider client={cache}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
  registerServiceWorker()
  void checkVersion(location.href, conf)
}

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

void begin()
