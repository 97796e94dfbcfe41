/** Company: the settings of a company – branding, warehouse, packing rules. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { companySchemas } from './companies.schemas.ts'

export const company = contract<typeof companySchemas>({ name: 'companies', area: 'company', access: access.settings }).calls({
  config: call('GET company/config'),
  setConfig: call('POST company/config', { external: true }),
  resetConfig: call('DELETE company/config', { external: true }),

  settings: call('GET company/settings', { access: 'user' }),
  setSettings: call('POST company/settings', { external: true }),
  resetSettings: call('DELETE company/settings', { external: true }),

  data: call('GET company/data', { access: 'user' }),
  setData: call('POST company/data', { external: true }),

  logo: call('GET company/img/company_logo', {
    access: 'anyone',
    media: 'image/*',
    external: true,
    internal: true,
    whileClosed: true,
  }),
  setLogo: call('POST company/upload/img/company_logo', { upload: limits.picture, external: true }),
  removeLogo: call('DELETE company/upload/img/company_logo', { external: true, internal: true }),

  footer: call('GET company/data/footer/incoice/{locale}'),
  setFooter: call('POST company/data/footer/incoice/{locale}', { external: true }),
  cmsLink: call('GET company/cms_link', { access: 'user' }),
  setCmsLink: call('POST company/cms_link', { external: true }),
  homepage: call('GET company/homepage', { access: 'user' }),
  setHomepage: call('POST company/homepage', { external: true }),
  homepageIn: call('GET company/homepage/{locale}', { access: 'user' }),
  setHomepageIn: call('POST company/homepage/{locale}', { external: true }),
  homeCountry: call('GET company/home_county', { access: 'user' }),
  setHomeCountry: call('POST company/home_county', { external: true }),
  resetHomeCountry: call('DELETE company/home_county', { external: true }),

  checkIpPattern: call('POST company/config/check_ip_pattern', { internal: true }),
  companies: call('GET company/companies', { access: access.admin, company: 'main', tenantScope: 'operator', internal: true }),
  defaults: call('GET company/defaults', { company: 'main', tenantScope: 'operator', internal: true }),
  setDefault: call('POST company/defaults', { company: 'main', tenantScope: 'operator', internal: true }),
  follow: call('POST company/companies/{company_id}/follow', { company: 'main', tenantScope: 'operator', internal: true }),
  createCompany: call('POST company/companies', { access: access.admin, company: 'main', internal: true, external: true }),
})
