/** The beginning of the browser's side: who is here, in which language, and then the page. */
import '@fontsource-variable/inter/wght.css'
import '#web/mantine.css'
import '#web/theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CallError } from '#web/call-error.ts'
import { askConf, checkVersion } from '#web/conf.ts'
import { offerConsoleHelpers } from '#web/console.ts'
import { device } from '#web/device.ts'
import { fetchScreen } from '#web/fetch-screen.ts'
import { followNotices } from '#web/fresh.ts'
import { router, wanted } from '#web/router.tsx'
import { registerServiceWorker } from '#web/service-worker.ts'
import { followOtherTabs, resume, whenSessionEnds } from '#web/session.ts'
import { listenToKeys } from '#web/shell/shortcuts.ts'
import { colorScheme, cssVariables, theme } from '#web/theme.ts'
import { preferredLocale, speak } from '#web/translate.ts'
import { Toasts } from '#web/ui/Toasts.tsx'

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
  followNotices(cache)
  whenSessionEnds(() => {
    cache.clear()
    const { pathname, searchStr } = router.state.location
    if (pathname !== '/login') wanted.remember(pathname === '/' ? null : pathname + searchStr)
    void router.navigate({ to: '/login', replace: true })
  })
  // The conf file, the words, the session and the code of the screen are asked for together; none of them waits for another.
  const conf = askConf()
  fetchScreen(location.pathname)
  await Promise.all([speak(preferredLocale(device.read('user')?.locale)), resume(), Promise.race([conf, pause(800)])])
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
