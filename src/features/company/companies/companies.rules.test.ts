/** What follows from the settings of a company. */
import { expect, it } from 'vitest'
import { homeCountry, homepageFor, offeredLocale, shopLink } from './companies.rules.ts'
import { CompanySettings } from './companies.schemas.ts'

const settings = (some: object) => CompanySettings.parse(some)

it('takes the home country that was chosen, else the sender’s', () => {
  expect(homeCountry(settings({ sender: { country: 'SE' } }))).toBe('SE')
  expect(homeCountry(settings({ sender: { country: 'SE' }, home_country: 'NO' }))).toBe('NO')
})

it('leads readers of a language to its home page, and others to the general one', () => {
  const shop = settings({ homepage: 'https://shop.example', homepages: { de_DE: 'https://shop.example/de' } })
  expect(homepageFor(shop, 'de_DE')).toBe('https://shop.example/de')
  expect(homepageFor(shop, 'da_DK')).toBe('https://shop.example')
})

it('writes number and id of the order into the link to the shop, escaped', () => {
  const order = { order_no: '#10 01', external_id: '7/8' }
  expect(shopLink(settings({ cms_link: 'https://shop.example/admin?no={order_no}&id={external_id}' }), order)).toBe(
    'https://shop.example/admin?no=%2310%2001&id=7%2F8',
  )
  expect(shopLink(settings({}), order)).toBeNull()
})

it.each([
  ['de_DE', 'de_DE'],
  ['sv_SE', null],
  [null, null],
] as const)('of a company that offers Danish and German, %s is answered in %s', (asked, answered) => {
  expect(offeredLocale({ languages: ['da_DK', 'de_DE'] }, asked)).toBe(answered)
})
