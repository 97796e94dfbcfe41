/** What stood on the screens when a test failed, so that its log explains it. */
import type { Page, Request } from 'playwright-core'

/** Watches pages and reports the state of those that are still open. */
export function recordCalls(): { watch(page: Page): void; report(test: string): Promise<void> } {
  const seen = new Map<Page, { said: string[]; unanswered: Set<Request> }>()
  return {
    watch(page) {
      const said: string[] = []
      const unanswered = new Set<Request>()
      seen.set(page, { said, unanswered })
      page.on('close', () => seen.delete(page))
      page.on('console', message => said.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', error => said.push(`uncaught: ${error.message}`))
      page.on('request', request => unanswered.add(request))
      page.on('requestfinished', request => unanswered.delete(request))
      page.on('requestfailed', request => unanswered.delete(request))
    },
    async report(test) {
      for (const [page, { said, unanswered }] of seen) {
        const text = await page
          .locator('body')
          // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not part of the state
          .innerText({ timeout: 3_000 })
          .catch((error: Error) => `(could not be read: ${error.message})`)
        const lines = [
          `“${test}” failed. What stood on ${page.url()}:`,
          text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 700),
          ...[...unanswered].map(request => `  waits for ${request.method()} ${request.url()}`),
          ...said.slice(-8).map(line => `  console ${line.slice(0, 300)}`),
        ]
        console.error(lines.join('\n'))
      }
    },
  }
}
