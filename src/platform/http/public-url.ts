/** Addresses of pages, as they stand in links that leave the product. */
import type { Services } from './feature-module.ts'

/** Where a company's pages answer, without trailing slash. */
export const publicUrl = (services: Services, company: string): string => {
  const { public_url, base_domain, port } = services.config
  if (public_url) return public_url.replace('{company}', company)
  return `http://${company}.${base_domain}${port === 80 || port === 0 ? '' : `:${port}`}`
}
