/** Which language the interface speaks. */
import { beforeEach, expect, it, vi } from 'vitest'
import { locales } from '#contract/limits.ts'
import { storage } from '#test/storage.ts'

vi.stubGlobal('localStorage', storage())
const { device } = await import('#ui/device/device-storage.ts')
const { preferredLocale, rememberedLocale } = await import('./translate.ts')

const user = {
  user_id: 1,
  name: 'Kim',
  user_name: 'kim',
  email: null,
  employee_no: null,
  locale: null,
  company_id: 1,
  company: 'demo',
  is_main_company: true,
  permission: [],
  has_image: false,
  acts: [],
  start_page: null,
  second_factor_by: null,
}
const init = {
  CountryLookup: [],
  ParcelAgentCode: [],
  PermissionLookup: [],
  ScheduleReasonLookup: [],
  CompanyLookup: [],
  MainCompanyId: 1,
  PackingApiIpBind: '',
  packing_ip_matches: true,
  settings: {
    company_name: 'Demo',
    locale: 'sv_SE' as const,
    currency: 'SEK',
    time_zone: 'Europe/Stockholm',
    color: null,
    has_logo: false,
    languages: [...locales],
    home_country: 'DK',
    phone_countries: [],
    sender_missing: false,
  },
}

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('navigator', { languages: ['fr-FR', 'nb-NO', 'en-US'] })
})

it.each([
  ['the company, where the person has chosen none', null, undefined, 'sv_SE'],
  ['the person', 'da_DK', undefined, 'da_DK'],
  ['the device, where one was chosen there', 'da_DK', 'de_DE', 'de_DE'],
] as const)('speaks the language of %s, at sign-in as after a reload', (_, own, chosen, expected) => {
  if (chosen) device.write('locale', chosen)
  const person = { ...user, locale: own }
  expect(preferredLocale({ user: person, init })).toBe(expected)
  device.write('user', person)
  device.write('init', init)
  expect(rememberedLocale()).toBe(expected)
})

it('speaks the first language of the browser that there is, while no one is signed in', () => {
  expect(rememberedLocale()).toBe('no_NO')
})
