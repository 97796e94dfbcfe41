/** Customs: the company's registration numbers, exchange rates, and the rules by which papers are chosen. */
import { Anchor, Button, Select, SimpleGrid, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { numberKinds } from '#domain/consignment.ts'
import { countryCodes } from '#domain/countries.ts'
import { customsRules } from '#domain/customs/rules.ts'
import { isOneOf } from '#domain/objects.ts'
import { ManualRates } from '#features/company/exchange-rates/ManualRates.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { country, day } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { customsNumbers } from './customs-numbers.contract.ts'
import { type CustomsNumber, NumberFields } from './customs-numbers.schemas.ts'

const tabs = ['numbers', 'rates', 'rules'] as const
const View = { tab: urlChoice(tabs, 'numbers') }

export function CustomsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const top = (
    <Tabs value={url.tab} onChange={chosen => setUrl({ tab: isOneOf(tabs, chosen) ? chosen : 'numbers' })} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="numbers">{t('Numbers')}</Tabs.Tab>
        <Tabs.Tab value="rates">{t('Exchange rates')}</Tabs.Tab>
        <Tabs.Tab value="rules">{t('Rules')}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
  if (url.tab === 'rates') return <ManualRates title={t('Customs')} top={top} />
  return url.tab === 'rules' ? <CustomsRules top={top} /> : <CustomsNumbers top={top} />
}

const keyOf = (row: CustomsNumber) => row.id
const refreshes = [customsNumbers.list]
const kindWords = { vat: 'VAT number', eori: 'EORI', ioss: 'IOSS', voec: 'VOEC' } as const satisfies Record<CustomsNumber['kind'], string>

function CustomsNumbers({ top }: { top: ReactNode }) {
  const t = useT()
  const [open, setOpen] = useState<CustomsNumber | 'new' | null>(null)
  const numbers = useCall(customsNumbers.list, {}, { live: ['customs_number'] })
  const list = {
    ...staticList(numbers.data ?? []),
    isLoading: numbers.isPending,
    error: numbers.error,
    refetch: () => void numbers.refetch(),
  }
  const putBack = useCommand(({ id: _id, ...body }: CustomsNumber) => send(customsNumbers.set, { body }), {
    refreshes,
    said: t('The number is back'),
  })
  const remove = useCommand((row: CustomsNumber) => send(customsNumbers.remove, { id: row.id }), {
    refreshes,
    done: (_answer, row) => toastWithUndo(t('Number removed'), () => putBack.mutate(row)),
  })
  const columns = useMemo<Column<CustomsNumber>[]>(
    () => [
      { key: 'kind', title: t('Kind'), flex: 1, cell: row => t(kindWords[row.kind]) },
      { key: 'country', title: t('Country'), flex: 1, cell: row => country(row.country) },
      {
        key: 'value',
        title: t('Number'),
        flex: 2,
        cell: row => (
          <Anchor component="button" type="button" underline="always" onClick={() => setOpen(row)}>
            {row.value}
          </Anchor>
        ),
      },
      { key: 'valid_from', title: t('From'), cell: row => (row.valid_from === null ? '–' : day(row.valid_from)) },
      { key: 'valid_to', title: t('Until'), cell: row => (row.valid_to === null ? '–' : day(row.valid_to)) },
    ],
    [t],
  )
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      {t('Add number')}
    </Button>
  )
  return (
    <Page title={t('Customs')} fill tabs={top} actions={list.total === 0 ? null : add}>
      <DataTable
        name="customs-numbers"
        label={t('Numbers')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={setOpen}
        rowActions={row => [
          { label: t('Edit'), run: () => setOpen(row) },
          { label: t('Remove number'), danger: true, run: () => remove.mutate(row) },
        ]}
        empty={
          <EmptyList title={t('No registration numbers yet')} action={add}>
            {t('EORI, VOEC, IOSS and VAT numbers go to the courier and on customs papers.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{`${t(kindWords[row.kind])} · ${country(row.country)}`}</span>
              <span>{row.value}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        size={480}
        title={open === 'new' ? t('New number') : t('Registration number')}
      >
        {open ? <NumberForm key={open === 'new' ? 0 : open.id} number={open === 'new' ? null : open} close={() => setOpen(null)} /> : null}
      </Drawer>
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  kind: CustomsNumber['kind']
  country: string
  value: string
  valid_from: string | null
  valid_to: string | null
}

function NumberForm({ number, close }: { number: CustomsNumber | null; close: () => void }) {
  const t = useT()
  const initial: Values = {
    kind: number?.kind ?? 'eori',
    country: number?.country ?? 'DK',
    value: number?.value ?? '',
    valid_from: number?.valid_from ?? null,
    valid_to: number?.valid_to ?? null,
  }
  const edit = useEdit({
    schema: NumberFields,
    initial,
    save: (values: Values) => send(customsNumbers.set, { body: values }),
    refreshes,
    said: t('Number saved'),
    done: close,
  })
  const { form, values } = edit
  return (
    <Form edit={edit} cancel={close}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={t('Kind')}
          data={numberKinds.map(kind => ({ value: kind, label: t(kindWords[kind]) }))}
          {...disabledBecause(number !== null && t('It was set when this was added, and stays'))}
          {...edit.of('kind')}
        />
        <Select
          label={t('Country')}
          data={countryCodes.map(code => ({ value: code, label: country(code) }))}
          searchable
          {...disabledBecause(number !== null && t('It was set when this was added, and stays'))}
          {...edit.of('country')}
        />
      </SimpleGrid>
      <TextInput
        label={t('Number')}
        withAsterisk
        {...disabledBecause(number !== null && t('It was set when this was added, and stays'))}
        data-autofocus
        {...edit.of('value')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {(['valid_from', 'valid_to'] as const).map(field => (
          <TextInput
            key={field}
            label={field === 'valid_from' ? t('From') : t('Until')}
            type="date"
            value={values[field] ?? ''}
            onChange={event => form.setFieldValue(field, event.currentTarget.value || null)}
            error={form.errors[field]}
          />
        ))}
      </SimpleGrid>
    </Form>
  )
}

function CustomsRules({ top }: { top: ReactNode }) {
  const t = useT()
  return (
    <Page title={t('Customs')} tabs={top} narrow>
      <Panel title={t('Rules')}>
        <Stack gap="sm">
          {customsRules.map(({ id, from, until, source, why }) => (
            <div key={`${id} ${from ?? ''}`}>
              <Text size="sm">{t(why)}</Text>
              <Text size="xs" c="dimmed">
                {[
                  id,
                  from === null ? '' : t('since {{day}}', { day: day(from) }),
                  until === null ? '' : t('until {{day}}', { day: day(until) }),
                  source,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </div>
          ))}
        </Stack>
      </Panel>
    </Page>
  )
}
