/** Rates that the company enters itself: what one unit of a currency is worth in another one. */
import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { exchangeRates } from './exchange-rates.contract.ts'
import { type ManualRate, RateFields } from './exchange-rates.schemas.ts'

const keyOf = (row: ManualRate) => row.id
const refreshes = [exchangeRates.manual]
const fieldsOf = ({ id: _id, ...fields }: ManualRate) => fields

/** `top`: the tabs of the page on which they stand. */
export function ManualRates({ title, top }: { title: string; top: ReactNode }) {
  const t = useT()
  const [open, setOpen] = useState<ManualRate | 'new' | null>(null)
  const rates = useCall(exchangeRates.manual, {}, { live: ['exchange_rate'] })
  const list = {
    ...staticList(rates.data ?? []),
    isLoading: rates.isPending,
    error: rates.error,
    refetch: () => void rates.refetch(),
  }
  const putBack = useCommand((row: ManualRate) => send(exchangeRates.setManual, { body: fieldsOf(row) }), {
    refreshes,
    said: t('The rate is back'),
  })
  const remove = useCommand((row: ManualRate) => send(exchangeRates.removeManual, { id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      setOpen(null)
      toastWithUndo(t('Rate removed'), () => putBack.mutate(row))
    },
  })
  const published = useCall(exchangeRates.published, {}, { live: ['exchange_rate'] })
  const columns = useMemo<Column<ManualRate>[]>(
    () => [
      { key: 'from', title: t('One'), cell: row => row.from_currency },
      { key: 'rate', title: t('Is worth'), align: 'end', cell: row => `${row.rate} ${row.to_currency}` },
      { key: 'valid_from', title: t('From'), cell: row => day(row.valid_from) },
      { key: 'valid_to', title: t('Until'), cell: row => (row.valid_to === null ? '–' : day(row.valid_to)) },
      { key: 'note', title: t('Note'), flex: 2, cell: row => row.note || '–' },
    ],
    [t],
  )
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      {t('Add rate')}
    </Button>
  )
  return (
    <Page title={title} fill tabs={top} actions={list.total === 0 ? null : add}>
      <Text size="sm" c="dimmed" mb="xs">
        {published.data?.day
          ? t('All other currencies are converted at the reference rates of the European Central Bank of {{day}}.', {
              day: day(published.data.day),
            })
          : t('No reference rates of the European Central Bank yet. Until they are fetched, enter the rates you need.')}
      </Text>
      <DataTable
        name="manual-rates"
        label={t('Exchange rates')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={setOpen}
        rowActions={row => [
          { label: t('Edit'), run: () => setOpen(row) },
          { label: t('Remove rate'), danger: true, run: () => remove.mutate(row) },
        ]}
        empty={
          <EmptyList title={t('No rates yet')} action={add}>
            {t('A rate of your own holds before the published one.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{`1 ${row.from_currency} = ${row.rate} ${row.to_currency}`}</span>
              <span>{day(row.valid_from)}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={open !== null} onClose={() => setOpen(null)} size={480} title={open === 'new' ? t('New rate') : t('Rate')}>
        {open ? <RateForm key={open === 'new' ? 0 : open.id} rate={open === 'new' ? null : open} close={() => setOpen(null)} /> : null}
      </Drawer>
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  from_currency: string
  to_currency: string
  rate: string
  valid_from: string
  /** Null for no end. */
  valid_to: string | null
  note: string
}

function RateForm({ rate, close }: { rate: ManualRate | null; close: () => void }) {
  const t = useT()
  const initial: Values = {
    from_currency: rate?.from_currency ?? '',
    to_currency: rate?.to_currency ?? '',
    rate: rate?.rate ?? '',
    valid_from: rate?.valid_from ?? today(),
    valid_to: rate?.valid_to ?? null,
    note: rate?.note ?? '',
  }
  const edit = useEdit({
    schema: RateFields,
    initial,
    save: (values: Values) => send(exchangeRates.setManual, { body: values }),
    refreshes,
    said: t('Rate saved'),
    done: close,
  })
  const { form, values } = edit
  return (
    <Form edit={edit} cancel={close}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t('From currency')}
          withAsterisk
          {...disabledBecause(rate !== null && t('It was set when this was added, and stays'))}
          data-autofocus
          {...edit.of('from_currency')}
        />
        <TextInput
          label={t('To currency')}
          withAsterisk
          {...disabledBecause(rate !== null && t('It was set when this was added, and stays'))}
          {...edit.of('to_currency')}
        />
      </SimpleGrid>
      <TextInput
        label={t('Rate')}
        description={t('What one unit of the first is worth')}
        inputMode="decimal"
        withAsterisk
        {...edit.of('rate')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t('From')}
          type="date"
          withAsterisk
          {...disabledBecause(rate !== null && t('It was set when this was added, and stays'))}
          {...edit.of('valid_from')}
        />
        <TextInput
          label={t('Until')}
          type="date"
          value={values.valid_to ?? ''}
          onChange={event => form.setFieldValue('valid_to', event.currentTarget.value || null)}
          error={form.errors.valid_to}
        />
      </SimpleGrid>
      <TextInput label={t('Note')} {...edit.of('note')} />
    </Form>
  )
}
