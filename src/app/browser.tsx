/** Starts the interface in the browser: registers the parts, resumes the session, loads the language and draws the page. */
import '@fontsource-variable/inter/wght.css'
import '#ui/mantine.css'
import '#ui/theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { offerConsoleHelpers } from '#ui/device/console.ts'
import { device } from '#ui/device/device-storage.ts'
import { registerServiceWorker } from '#ui/device/service-worker.ts'
import { setTimeZone } from '#ui/kit/format.ts'
import { listenToKeys } from '#ui/kit/shortcuts.ts'
import { Toasts } from '#ui/kit/Toasts.tsx'
import { colorScheme, cssVariables, theme } from '#ui/kit/theme.ts'
import { currentLocale, preferredLocale, rememberedLocale, speak } from '#ui/kit/translate.ts'
import { fetchScreen } from '#ui/navigation/fetch-screen.ts'
import { registerRail } from '#ui/navigation/rail.ts'
import { returnTo } from '#ui/navigation/return-to.ts'
import { registerScreens } from '#ui/navigation/screen.ts'
import { checkVersion, fetchAppConfig } from '#ui/query/app-config.ts'
import { invalidateOnChanges } from '#ui/query/query-invalidation.ts'
import { currentSession, followOtherTabs, onSessionChange, onSessionEnd, resumeSession } from '#ui/query/session.ts'
import { watchFirstScreen } from './first-screen.ts'
import { queryClient } from './query-client.ts'
import { rail } from './rail.ts'
import { router } from './router.tsx'
import { screens } from './screens.ts'

const showDensity = () => {
  document.documentElement.dataset.density = device.read('density') ?? 'normal'
}

/** What the interface shows of the features without importing them. The sign-in needs no part, so they are a file of their own. */
async function registerParts(): Promise<void> {
  registerScreens(screens, async () => (await import('./screen-words.ts')).screenWords)
  registerRail(rail)
  // Without the parts of other features a page still works.
  await import('./parts.ts').catch(() => undefined)
}

async function start(): Promise<void> {
  const parts = registerParts()
  offerConsoleHelpers()
  showDensity()
  device.watch(showDensity)
  listenToKeys()
  followOtherTabs()
  invalidateOnChanges(queryClient)
  onSessionChange(() => {
    const session = currentSession()
    setTimeZone(session?.init.settings.time_zone)
    // The server may know of a language that was chosen on another device.
    if (session && preferredLocale(session) !== currentLocale()) void speak(preferredLocale(session))
  })
  onSessionEnd(() => {
    queryClient.clear()
    const { pathname, searchStr } = router.state.location
    if (pathname !== '/login') returnTo.remember(pathname === '/' ? null : pathname + searchStr)
    void router.navigate({ to: '/login', replace: true })
  })
  watchFirstScreen()
  // The configuration, the translations, the session and the code of the screen load at the same time.
  const conf = fetchAppConfig()
  fetchScreen(location.pathname)
  await Promise.all([parts, speak(rememberedLocale()), resumeSession(), Promise.race([conf, pause(800)])])
  // Draw the screen at once if its code is loaded. Otherwise draw the frame around it after 400 ms.
  await Promise.race([router.load(), pause(400)])
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorScheme} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
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

void start()
