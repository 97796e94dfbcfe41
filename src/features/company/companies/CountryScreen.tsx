/** Countries: which is home, which languages may be chosen, and which phone prefixes stand first. */
import { MultiSelect, Select } from '@mantine/core'
import { useMemo, useRef } from 'react'
import * as z from 'zod'
import { locales } from '#contract/limits.ts'
import { countryCodes } from '#domain/countries.ts'
import { isOneOf } from '#domain/objects.ts'
import { phonePrefixes } from '#domain/phone-prefixes.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { compare, country } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { company } from './companies.contract.ts'
import { CompanyConfig, CompanyConfigChange } from './companies.schemas.ts'

export function CountryScreen() {
  const t = useT()
  const config = useCall(company.config, {})
  return (
    <Page title={t('Countries')} narrow>
      <QueryState of={config} shape="form">
        {answer => <CountryForm key={answer.id} config={answer} />}
      </QueryState>
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  home_country: string
  ship_countries: string[]
  postcode_check: 'warn' | 'strict'
  languages: string[]
  phone_countries: string[]
}

const valuesOf = ({ home_country, ship_countries, postcode_check, languages, phone_countries }: CompanyConfig): Values => ({
  home_country: home_country ?? '',
  ship_countries: [...ship_countries],
  postcode_check,
  languages: [...languages],
  phone_countries: [...phone_countries],
})

const bodyOf = (values: Values, version: number) => ({
  version,
  home_country: isOneOf(countryCodes, values.home_country) ? values.home_country : null,
  ship_countries: values.ship_countries.filter(code => isOneOf(countryCodes, code)),
  postcode_check: values.postcode_check,
  // In the order of the product, whichever was chosen first.
  languages: locales.filter(locale => values.languages.includes(locale)),
  phone_countries: values.phone_countries.filter(code => isOneOf(countryCodes, code)),
})

const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values, 1))
  .pipe(CompanyConfigChange)

function CountryForm({ config }: { config: CompanyConfig }) {
  const t = useT()
  // Version at which this form was opened: a background refresh must not make an old form look current.
  const version = useRef(config.version)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(config),
    save: values => send(company.setConfig, { body: bodyOf(values, version.current) }),
    refreshes: [company.config],
    said: t('Countries saved'),
    undo: async (answer, before) => {
      const back = await send(company.setConfig, { body: bodyOf(before, answer.version) })
      version.current = back.version
    },
    done: answer => {
      version.current = answer.version
    },
    conflict: {
      schema: CompanyConfig,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const countries = useMemo(
    () => countryCodes.map(code => ({ value: code, label: country(code) })).sort((one, other) => compare(one.label, other.label)),
    [],
  )
  const prefixes = useMemo(
    () =>
      countries.flatMap(({ value, label }) => {
        const digits = phonePrefixes.get(value)
        return digits === undefined ? [] : [{ value, label: `${label} +${digits}` }]
      }),
    [countries],
  )
  const search = { searchable: true, maxDropdownHeight: 280 } as const
  return (
    <Form edit={edit}>
      <div>
        <SettingsSection title={t('Country')} help={t('Parcels within it are domestic, and phone fields begin with its prefix.')}>
          <Select
            label={t('Home country')}
            description={t('Empty: the sender’s country, {{country}}.', { country: country(config.sender.country) })}
            data={countries}
            {...search}
            clearable
            {...edit.of('home_country')}
            value={edit.values.home_country || null}
            onChange={value => edit.form.setFieldValue('home_country', value ?? '')}
          />
        </SettingsSection>
        <SettingsSection
          title={t('Shipping')}
          help={t('Orders that are held here wait for a person; a corrected order of the shop goes on by itself.')}
        >
          <MultiSelect
            label={t('Countries shipped to')}
            description={t('Empty: all. An order to another country is held.')}
            data={countries}
            clearable
            {...search}
            {...edit.of('ship_countries')}
          />
          <NativeChoice
            label={t('Postcodes that look wrong')}
            value={edit.values.postcode_check}
            data={[
              { value: 'warn', label: t('The order shows a warning') },
              { value: 'strict', label: t('The order is held') },
            ]}
            choose={postcode_check => edit.form.setFieldValue('postcode_check', postcode_check)}
          />
        </SettingsSection>
        <SettingsSection
          title={t('Languages')}
          help={t('Who reads another language sees the company’s own: staff, and customers on the tracking page and in messages.')}
        >
          <MultiSelect
            label={t('Languages on offer')}
            data={locales.map(value => ({ value, label: localeNames[value] }))}
            {...edit.of('languages')}
          />
        </SettingsSection>
        <SettingsSection title={t('Phone numbers')} help={t('The other countries follow in the order of their names.')}>
          <MultiSelect
            label={t('First in phone fields')}
            description={t('At most 10, in the order in which you select them.')}
            data={prefixes}
            maxValues={10}
            {...search}
            {...edit.of('phone_countries')}
          />
        </SettingsSection>
      </div>
    </Form>
  )
}
