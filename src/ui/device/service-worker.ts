/** The service worker: it keeps the shell on the device, and a new one waits until the page says so. */
import { serviceWorkerUrl } from './trusted-types.ts'

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined

/** Registers the worker; the page works without it too (plain HTTP away from localhost, private windows). */
export function registerServiceWorker(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  registered = navigator.serviceWorker.register(serviceWorkerUrl(), { scope: '/', updateViaCache: 'none' }).catch(error => {
    console.error('The service worker could not be registered', error)
    return undefined
  })
}

/** Fetches the newest worker and lets it take over; answers when it has, or after five seconds. */
export async function activateWaitingWorker(): Promise<void> {
  const worker = await registered
  if (!worker) return
  const given = new Promise<void>(resolve => setTimeout(resolve, 5000))
  const taken = new Promise<void>(resolve => navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }))
  try {
    await worker.update()
  } catch {
    return
  }
  const incoming = worker.installing
  if (incoming) {
    await Promise.race([
      given,
      new Promise<void>(resolve => incoming.addEventListener('statechange', () => incoming.state !== 'installing' && resolve())),
    ])
  }
  if (!worker.waiting) return
  worker.waiting.postMessage({ type: 'SKIP_WAITING' })
  await Promise.race([given, taken])
}
