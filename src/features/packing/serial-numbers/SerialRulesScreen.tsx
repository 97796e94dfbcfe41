/** Serial number rules: how a company records serial numbers, and which products must match which pattern. */
import { Button, Group, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { limits } from '#contract/limits.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { CompanyChoice } from './CompanyChoice.tsx'
import { ExtractionFields, RuleTrial, stepWords } from './SerialExtraction.tsx'
import { serialNumbers } from './serial-numbers.contract.ts'
import type { ExtractStep, SerialCheck } from './serial-numbers.schemas.ts'

type Config = Received<typeof serialNumbers.config>
type Scope = SerialCheck['scope']

const View = {
  /** Code of the company; empty for the own one. */
  company: urlText(),
}

const scopeLabels: Record<Scope, string> = {
  product: 'Once per product',
  company: 'Once in the company',
  none: 'As often as it is scanned',
}
function useScopes() {
  const t = useT()
  return (['product', 'company', 'none'] as const).map(value => ({ value, label: t(scopeLabels[value]) }))
}

export function SerialRulesScreen() {
  const t = useT()
  const { user } = useSignedIn()
  const admin = useIsAllowed(access.admin)
  const [url, setUrl] = useUrlState(View)
  const config = useCall(serialNumbers.config, { ...(url.company && { company: url.company }) }, { live: ['serial_check'] })
  return (
    <Page
      title={t('Serial number rules')}
      note={t('Products that need a serial number are marked in the product list. Here is how their numbers are recorded.')}
      actions={
        user.is_main_company && admin ? <CompanyChoice chosen={url.company} choose={code => setUrl({ company: code })} /> : undefined
      }
    >
      <QueryState of={config} shape="form">
        {answer => (
          <div key={answer.company}>
            <Recording config={answer} />
            <Rules config={answer} />
          </div>
        )}
      </QueryState>
    </Page>
  )
}

function Recording({ config }: { config: Config }) {
  const t = useT()
  const scopes = useScopes()
  const change = useSend(serialNumbers.configure, { refreshes: [serialNumbers.config], said: t('Saved') })
  const set = (property: keyof Config, value: string | boolean | number) =>
    change.mutate({ code: config.company, property, value: String(value) })
  return (
    <SettingsSection
      title={t('Recording')}
      help={t('Holds for all products of the company. Orders that are open at a station follow at once.')}
    >
      <Switch
        label={t('Record serial numbers')}
        description={t('Off: no station asks for a serial number.')}
        checked={config.enabled}
        disabled={change.isPending}
        onChange={event => set('enabled', event.currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NativeChoice
          label={t('The station asks')}
          data={[
            { value: 'pack', label: t('With each item') },
            { value: 'close', label: t('When everything is packed') },
          ]}
          value={config.ask_at}
          disabled={change.isPending}
          {...disabledBecause(!config.enabled && t('Switch it on first'))}
          choose={value => set('ask_at', value)}
        />
        <NativeChoice
          label={t('Accepted serial numbers')}
          data={[
            { value: 'outbound', label: t('All that fit their rule') },
            { value: 'stock', label: t('Only imported ones') },
          ]}
          value={config.mode}
          disabled={change.isPending}
          {...disabledBecause(!config.enabled && t('Switch it on first'))}
          choose={value => set('mode', value)}
        />
      </SimpleGrid>
      <Switch
        label={t('Serial numbers may be typed')}
        description={t('Off: only a scanner or the camera can enter them.')}
        checked={config.allow_typed}
        disabled={change.isPending}
        {...disabledBecause(!config.enabled && t('Switch it on first'))}
        onChange={event => set('allow_typed', event.currentTarget.checked)}
      />
      <NativeChoice
        label={t('Same number')}
        description={t('For products without a rule, and for new rules.')}
        data={scopes}
        value={config.default_scope}
        disabled={change.isPending}
        {...disabledBecause(!config.enabled && t('Switch it on first'))}
        choose={value => set('default_scope', value)}
      />
      <NativeChoice
        label={t('Letters')}
        data={[
          { value: 'keep', label: t('a1 and A1 are two numbers') },
          { value: 'upper', label: t('a1 and A1 are the same number') },
        ]}
        value={config.letters}
        disabled={change.isPending}
        {...disabledBecause(!config.enabled && t('Switch it on first'))}
        choose={value => set('letters', value)}
      />
      <Shortest
        key={config.min_length}
        value={config.min_length}
        why={!config.enabled && t('Switch it on first')}
        busy={change.isPending}
        set={value => set('min_length', value)}
      />
    </SettingsSection>
  )
}

/** Saved when the field is left, so that no number is saved half typed. */
function Shortest({ value, why, busy, set }: { value: number; why: string | false; busy: boolean; set: (value: number) => void }) {
  const t = useT()
  const [typed, setTyped] = useState<number | string>(value)
  return (
    <WholeNumberInput
      label={t('Shortest serial number')}
      suffix={` ${t('characters')}`}
      min={1}
      max={20}
      w={200}
      value={typed}
      disabled={busy}
      {...disabledBecause(why)}
      onChange={setTyped}
      onBlur={() => {
        if (typeof typed === 'number' && typed !== value) set(typed)
        else setTyped(value)
      }}
    />
  )
}

const keyOf = (row: SerialCheck) => row.id

function Rules({ config }: { config: Config }) {
  const t = useT()
  const [editing, setEditing] = useState<SerialCheck | 'new' | null>(null)
  const remove = useSend(serialNumbers.remove, { refreshes: [serialNumbers.config], said: t('Rule removed') })
  const askToRemove = async (row: SerialCheck) => {
    const sure = await confirm({
      title: t('Remove the rule of {{name}}?', { name: row.product ?? row.barcode }),
      body: t('Its serial numbers are taken in any form from now on.'),
      action: t('Remove rule'),
      danger: true,
    })
    if (sure) remove.mutate({ id: row.id })
  }
  const columns = useMemo<Column<SerialCheck>[]>(
    () => [
      {
        key: 'product',
        title: t('Product'),
        flex: 2,
        cell: row => row.product ?? <Text c="dimmed">{t('Not in the product list')}</Text>,
      },
      { key: 'barcode', title: t('SKU, barcode'), flex: 1, cell: row => <span className="code">{row.barcode}</span> },
      { key: 'regex', title: t('Pattern'), flex: 2, cell: row => <Text ff="monospace">{row.regex}</Text> },
      { key: 'extract', title: t('Read from'), flex: 1, cell: row => stepWords(t, row.extract) || t('the whole code') },
      { key: 'scope', title: t('Same number'), cell: row => t(scopeLabels[row.scope]) },
    ],
    [t],
  )
  return (
    <section aria-labelledby="serial-rules">
      <Group justify="space-between" my="sm">
        <Text component="h2" id="serial-rules" fw={600} fz="lg" m={0}>
          {t('Patterns')}
        </Text>
        {config.rules.length > 0 ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
            {t('Add rule')}
          </Button>
        ) : null}
      </Group>
      <DataTable
        name="serial-rules"
        label={t('Patterns')}
        columns={columns}
        list={staticList(config.rules)}
        keyOf={keyOf}
        open={setEditing}
        rowActions={row => [
          { label: t('Edit'), run: () => setEditing(row) },
          { label: t('Remove rule'), danger: true, run: () => void askToRemove(row) },
        ]}
        empty={
          <EmptyList title={t('No product has a pattern yet')} action={<Button onClick={() => setEditing('new')}>{t('Add rule')}</Button>}>
            {t('Any text that is long enough counts as a serial number.')}
          </EmptyList>
        }
        card={row => (
          <Stack gap={2}>
            <Text fw={500}>{row.product ?? row.barcode}</Text>
            <Text size="sm" ff="monospace">
              {row.regex}
            </Text>
            <Text size="sm" c="dimmed">
              {t(scopeLabels[row.scope])}
            </Text>
          </Stack>
        )}
      />
      <Drawer
        opened={editing !== null}
        onClose={() => setEditing(null)}
        position="right"
        title={editing === 'new' ? t('Add rule') : t('Serial number rule')}
      >
        {editing === null ? null : (
          <RuleForm
            key={editing === 'new' ? 0 : editing.id}
            config={config}
            rule={editing === 'new' ? null : editing}
            close={() => setEditing(null)}
          />
        )}
      </Drawer>
    </section>
  )
}

const Values = z.object({
  barcode: z.string().trim().min(1, 'A rule needs a barcode').max(limits.barcode),
  regex: z.string().min(1, 'A rule needs a pattern').max(limits.pattern),
  scope: z.enum(['product', 'company', 'none']),
  extract: z.array(z.looseObject({ separator: z.string().min(1, 'A part needs a separator').optional() })),
})

const noSteps: readonly ExtractStep[] = []

function RuleForm({ config, rule, close }: { config: Config; rule: SerialCheck | null; close: () => void }) {
  const t = useT()
  const scopes = useScopes()
  const edit = useEdit({
    schema: Values,
    initial: rule
      ? { barcode: rule.barcode, regex: rule.regex, scope: rule.scope, extract: rule.extract }
      : { barcode: '', regex: '', scope: config.default_scope, extract: noSteps },
    save: ({ extract, ...values }) =>
      send(serialNumbers.update, {
        ...values,
        barcode: values.barcode.trim(),
        extract: JSON.stringify(extract),
        company: config.company,
      }),
    refreshes: [serialNumbers.config],
    said: t('Rule saved'),
    done: close,
  })
  return (
    <Form edit={edit} cancel={close}>
      <TextInput
        label={t('SKU, barcode')}
        description={t('Of the product whose serial numbers are checked. A scan fills it in.')}
        data-autofocus={rule === null || undefined}
        readOnly={rule !== null}
        {...edit.of('barcode')}
      />
      <TextInput
        label={t('Pattern')}
        description={t('Regular expression for the whole number. [a-z][0-9]{10,12}: a letter, 10 to 12 digits.')}
        data-autofocus={rule !== null || undefined}
        spellCheck={false}
        autoCapitalize="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...edit.of('regex')}
      />
      <NativeChoice
        label={t('Same number')}
        description={t('Products with the same pattern share this and what follows.')}
        data={scopes}
        value={edit.values.scope}
        choose={scope => edit.form.setFieldValue('scope', scope)}
      />
      <ExtractionFields steps={edit.values.extract} set={extract => edit.form.setFieldValue('extract', [...extract])} />
      <RuleTrial company={config.company} regex={edit.values.regex} steps={edit.values.extract} />
    </Form>
  )
}
