/** The form of one configuration: courier and country, parties, terms, lines, numbers. */
import { Fieldset, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMemo, useRef } from 'react'
import * as z from 'zod'
import { locales } from '#contract/limits.ts'
import { countryCodes, countryId } from '#domain/countries.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { compare, country } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { PostcodeInput } from '#ui/kit/PostcodeInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { deliveryTerms, groupings } from './bulk-invoicing.codes.ts'
import { bulkInvoicing } from './bulk-invoicing.contract.ts'
import { groupingLabels } from './bulk-invoicing.labels.ts'
import { BulkInvoicingConfig, ConfigFields, noParty, type TradeParty } from './bulk-invoicing.schemas.ts'

type Values = ConfigFields & Record<string, unknown> & { agent_code: string; country: string }

const Body = ConfigFields.extend({ agent_code: z.string().min(1), country: z.string().length(2, 'Choose a country') })

const languages: Record<(typeof locales)[number], string> = {
  en_GB: 'English',
  da_DK: 'Dansk',
  de_DE: 'Deutsch',
  no_NO: 'Norsk',
  sv_SE: 'Svenska',
}

const valuesOf = (config: BulkInvoicingConfig | null, exporter: TradeParty): Values => ({
  agent_code: config?.agent_code ?? 'own',
  country: config?.country ?? '',
  importer: config?.importer ?? noParty,
  exporter: config?.exporter ?? exporter,
  terms: config?.terms ?? 'DAP',
  terms_place: config?.terms_place ?? '',
  currency: config?.currency ?? '',
  grouping: config?.grouping ?? 'hs_origin',
  hs_digits: config?.hs_digits ?? 8,
  locale: config?.locale ?? 'en_GB',
  series: config?.series ?? '',
  min_parcels: config?.min_parcels ?? 0,
  max_lines: config?.max_lines ?? 200,
})

export function ConfigForm({ config, close }: { config: BulkInvoicingConfig | null; close: () => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const couriers = useCall(labels.setup, {})
  const version = useRef(config?.version ?? 0)
  const home = init.settings.home_country
  const initial = { ...noParty, country: home }
  const edit = useEdit({
    schema: Body,
    initial: valuesOf(config, initial),
    save: ({ agent_code, country: to, ...fields }: Values) =>
      config
        ? send(bulkInvoicing.update, { config_id: config.config_id, body: { ...fields, version: version.current } })
        : send(bulkInvoicing.create, { agent_code, country_id: countryId(to), body: fields }),
    refreshes: [bulkInvoicing.list, bulkInvoicing.get],
    said: t('Configuration saved'),
    done: close,
    conflict: {
      schema: BulkInvoicingConfig,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, initial)
      },
    },
  })
  const { values, form } = edit
  const countries = useMemo(
    () => countryCodes.map(code => ({ value: code, label: country(code) })).toSorted((one, other) => compare(one.label, other.label)),
    [],
  )
  const known = couriers.data ?? []
  return (
    <Form edit={edit} cancel={close}>
      {config ? null : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NativeChoice
            label={t('Courier')}
            data={
              known.length > 0
                ? known.map(one => ({ value: one.agent_code, label: t(one.name) }))
                : [{ value: 'own', label: t('Own delivery') }]
            }
            value={values.agent_code}
            choose={chosen => form.setFieldValue('agent_code', chosen)}
          />
          <Select label={t('Country')} data={countries} searchable withAsterisk maxDropdownHeight={280} {...edit.of('country')} />
        </SimpleGrid>
      )}
      {(['importer', 'exporter'] as const).map(role => (
        <Fieldset key={role} legend={role === 'importer' ? t('Importer') : t('Exporter')}>
          <Stack gap="sm">
            <TextInput label={t('Name')} {...form.getInputProps(`${role}.name`)} />
            <TextInput label={t('Street and number')} {...form.getInputProps(`${role}.address1`)} />
            <TextInput label={t('Address, second line')} {...form.getInputProps(`${role}.address2`)} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <PostcodeInput label={t('Postcode')} country={form.getValues()[role].country} {...form.getInputProps(`${role}.postcode`)} />
              <TextInput label={t('City')} {...form.getInputProps(`${role}.city`)} />
            </SimpleGrid>
            <Select
              label={t('Country')}
              data={countries}
              searchable
              clearable
              maxDropdownHeight={280}
              value={values[role].country || null}
              onChange={chosen => form.setFieldValue(`${role}.country`, chosen ?? '')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput label={t('VAT or organisation number')} {...form.getInputProps(`${role}.vat_no`)} />
              <TextInput label={t('EORI number')} {...form.getInputProps(`${role}.eori`)} />
            </SimpleGrid>
          </Stack>
        </Fieldset>
      ))}
      <Fieldset legend={t('Terms and currency')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NativeChoice
            label={t('Delivery terms')}
            data={deliveryTerms.map(value => ({ value, label: value }))}
            value={values.terms}
            choose={chosen => form.setFieldValue('terms', chosen)}
          />
          <TextInput label={t('Place of the terms')} {...edit.of('terms_place')} />
          <TextInput label={t('Currency')} withAsterisk {...edit.of('currency')} />
          <NativeChoice
            label={t('Language of the paper')}
            data={locales.map(value => ({ value, label: languages[value] }))}
            value={values.locale}
            choose={chosen => form.setFieldValue('locale', chosen)}
          />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t('Lines and numbers')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NativeChoice
            label={t('One line for each')}
            data={groupings.map(value => ({ value, label: t(groupingLabels[value]) }))}
            value={values.grouping}
            choose={chosen => form.setFieldValue('grouping', chosen)}
          />
          <WholeNumberInput label={t('Digits of the tariff code')} min={6} max={11} {...edit.of('hs_digits')} />
          <WholeNumberInput label={t('Most lines')} min={1} max={5_000} {...edit.of('max_lines')} />
          <WholeNumberInput label={t('Fewest parcels')} min={0} max={10_000} {...edit.of('min_parcels')} />
          <TextInput
            label={t('Before the number')}
            description={t('For example {{example}}', { example: 'NO-2026-0001' })}
            {...edit.of('series')}
          />
        </SimpleGrid>
      </Fieldset>
    </Form>
  )
}
