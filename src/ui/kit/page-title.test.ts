/** The document's title follows the open page, not the frame around it. */
import { beforeEach, expect, it, vi } from 'vitest'

const page = { title: '' }
vi.stubGlobal('document', page)
vi.stubGlobal('location', { hostname: 'demo.pakhus.example' })
const { openTitle, setFallbackTitle } = await import('./page-title.ts')

beforeEach(() => setFallbackTitle('Pakhus'))

it('is the title of the open page, whether the frame names its own before or after', () => {
  const close = openTitle('Page not found')
  setFallbackTitle('Orders')
  expect(page.title).toBe('Demo · Page not found')
  close()
  expect(page.title).toBe('Demo · Orders')
})

it('is the title of the latest page while two are open', () => {
  const closeFirst = openTitle('Orders')
  const closeSecond = openTitle('Order 1001')
  expect(page.title).toBe('Demo · Order 1001')
  closeFirst()
  expect(page.title).toBe('Demo · Order 1001')
  closeSecond()
  expect(page.title).toBe('Demo · Pakhus')
})
