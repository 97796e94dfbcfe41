/** Links to the drawn walk of a wagon: signed, because they open without a login, and ending, because walks do. */

import type { Services } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'

const purpose = 'route link'
const days = 7

interface Wagon {
  company_id: number
  list: number
  wagon: number
}
const textOf = ({ company_id, list, wagon }: Wagon, until: string): string => `${company_id}:${list}:${wagon}:${until}`

/** The page that draws the walk, and when it stops to open (ISO 8601). */
export function routeUrl(
  services: Services,
  company: { id: number; code: string },
  list: number,
  wagon: number,
): { url: string; expires_at: string } {
  const seconds = Math.floor(services.now().getTime() / 1_000) + days * 86_400
  const until = seconds.toString(36)
  const key = `${until}.${services.vault.sign(purpose, textOf({ company_id: company.id, list, wagon }, until))}`
  return {
    url: `${publicUrl(services, company.code)}/route?list=${list}&wagon=${wagon}&key=${key}`,
    expires_at: new Date(seconds * 1_000).toISOString(),
  }
}

/** Until when this key opens this wagon's walk (ISO 8601), or null when it does not. */
export function routeKeyEnd(services: Services, wagon: Wagon, key: string): string | null {
  const [until = '', signature = ''] = key.split('.')
  const end = Number.parseInt(until, 36) * 1_000
  return services.vault.verify(purpose, textOf(wagon, until), signature) && end > services.now().getTime()
    ? new Date(end).toISOString()
    : null
}
