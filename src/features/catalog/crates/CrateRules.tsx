/** What a company says of the boxes of its products, by SKU: the list, and the drawer that makes and changes a rule. */
import { Alert, Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { ProductChoice } from '#features/catalog/products/ProductChoice.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { crateRules } from './crate-rules.contract.ts'
import type { CrateRule } from './crate-rules.schemas.ts'
import { crateRuleLabels, useRuleWords } from './crate-words.client.ts'
import { type CrateRuleKind, crateRuleKinds, crateWords, mayNameCrate, needsCrate } from './crates.codes.ts'

const RuleEditor = lazy(async () => ({ default: (await import('#ui/rules/RuleEditor.tsx')).RuleEditor }))

const View = {
  tab: urlText(),
  query: urlText(),
  kind: urlChoice(['', ...crateRuleKinds], ''),
  crate: urlNumber(0),
  sort: urlChoice(['sku', '-sku'], 'sku'),
  page: urlNumber(1),
}
const keyOf = (row: CrateRule) => row.id
const refreshes = [crateRules.list, crateRules.options]

/** The orders for which a rule holds; empty where it holds for all. */
function conditionsSentence(rule: CrateRule): string {
  const read = rule.conditions && parseRule(rule.conditions, 'crate').rule
  return read ? ruleSentence(read, ruleWords) : ''
}

export function CrateRules({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const words = useRuleWords()
  const [url, setUrl] = useUrlState(View)
  const [open, setOpen] = useState<CrateRule | 'new' | null>(null)
  const question = {
    sort: url.sort,
    ...(url.query && { query: url.query }),
    ...(url.kind && { kind: url.kind }),
    ...(url.crate > 0 && { crate: url.crate }),
  }
  const list = usePagedList(crateRules.list, { ...question, page: url.page, limit: 50 }, { live: ['crate'], keyOf })
  const options = useCall(crateRules.options, {}, { live: ['crate'] })
  const save = useCommand(() => send(crateRules.export, question), { done: saveFile })
  const putBack = useCommand((rule: CrateRule) => setAgain(rule), {
    refreshes,
    said: t('The rule is back'),
    done: list.showPendingChanges,
  })
  const remove = useCommand((rule: CrateRule) => send(crateRules.remove, { id: rule.id }), {
    refreshes,
    done: (_answer, rule) => {
      setOpen(null)
      list.showPendingChanges()
      toastWithUndo(t('Rule of {{sku}} removed', { sku: rule.sku }), () => putBack.mutate(rule))
    },
  })
  const ask = async (rule: CrateRule) => {
    const sure = await confirm({
      title: t('Remove the rule of {{name}}?', { name: rule.product ?? rule.sku }),
      body: words(rule),
      action: t('Remove rule'),
      danger: true,
    })
    if (sure) remove.mutate(rule)
  }
  const columns = useMemo<Column<CrateRule>[]>(
    () => [
      {
        key: 'sku',
        title: t('SKU'),
        sort: true,
        cell: row => (
          <Anchor component="button" type="button" underline="always" onClick={() => setOpen(row)}>
            {row.sku}
          </Anchor>
        ),
      },
      { key: 'product', title: t('Product'), flex: 2, cell: row => row.product ?? <Text c="dimmed">{t('Not in the product list')}</Text> },
      { key: 'rule', title: t('Rule'), flex: 2, cell: row => words(row) },
      {
        key: 'conditions',
        title: t('Condition'),
        flex: 2,
        cell: row =>
          row.broken ? (
            <StateBadge tone="stop">{t('Cannot be read')}</StateBadge>
          ) : row.conditions ? (
            <span title={conditionsSentence(row)}>{conditionsSentence(row)}</span>
          ) : (
            <Text c="dimmed">{t('All orders')}</Text>
          ),
      },
    ],
    [t, words],
  )
  const unmatched = options.data?.unmatched_skus.length ?? 0
  return (
    <Page
      title={t('Boxes')}
      fill
      actions={
        <>
          <ExportButton save={save} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
            {t('Add rule')}
          </Button>
        </>
      }
    >
      {tabs}
      <DataTable
        name="crate-rules"
        label={t('Box rules')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={setOpen}
        sort={url.sort}
        onSort={sort => setUrl({ sort: sort === '-sku' ? '-sku' : 'sku' })}
        onPage={page => setUrl({ page })}
        rowActions={row => [
          { label: t('Edit'), run: () => setOpen(row) },
          { label: t('Remove rule'), danger: true, run: () => void ask(row) },
        ]}
        toolbar={
          <FilterBar
            name="crate-rules"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search SKU or product') }}
            filters={[
              {
                key: 'kind',
                label: t('Rule'),
                kind: 'one',
                options: crateRuleKinds.map(value => ({ value, label: t(crateRuleLabels[value]) })),
                value: url.kind ? [url.kind] : [],
                set: ([value = '']) => setUrl({ kind: isOneOf(crateRuleKinds, value) ? value : '' }),
              },
              {
                key: 'crate',
                label: t('Box'),
                kind: 'one',
                options: (options.data?.crates ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
                value: url.crate > 0 ? [String(url.crate)] : [],
                set: ([value = '0']) => setUrl({ crate: Number(value) }),
              },
            ]}
          />
        }
        filtered={url.query !== '' || url.kind !== '' || url.crate > 0}
        clearFilters={() => setUrl({ query: '', kind: '', crate: 0 })}
        empty={
          <EmptyList title={t('No product has a box rule yet')} action={<Button onClick={() => setOpen('new')}>{t('Add rule')}</Button>}>
            {t('For example: vases only in the padded box, or each mirror in a box of its own.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.product ?? row.sku}</span>
            </RowCardLine>
            <span>{words(row)}</span>
          </RowCard>
        )}
      />
      {unmatched > 0 && url.query === '' ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t('No product has these SKUs: {{skus}}', { skus: options.data?.unmatched_skus.slice(0, 10).join(', ') ?? '' })}
        </Text>
      ) : null}
      <Drawer opened={open !== null} onClose={() => setOpen(null)} size={640} title={open === 'new' ? t('New rule') : t('Edit rule')}>
        {open ? (
          <QueryState of={options} shape="form">
            {answer => (
              <RuleForm
                key={open === 'new' ? 0 : open.id}
                rule={open === 'new' ? null : open}
                crates={answer.crates}
                remove={ask}
                removing={remove.isPending}
                close={() => setOpen(null)}
                saved={() => {
                  setOpen(null)
                  list.showPendingChanges()
                }}
              />
            )}
          </QueryState>
        ) : null}
      </Drawer>
    </Page>
  )
}

const setAgain = ({ sku, kind, crate, pieces, percent, conditions }: CrateRule) =>
  send(crateRules.set, { id: crate?.id ?? 0, sku, body: { kind, pieces, percent, conditions } })

interface RuleFormProps {
  rule: CrateRule | null
  crates: Received<typeof crateRules.options>['crates']
  remove: (rule: CrateRule) => Promise<void>
  removing: boolean
  close: () => void
  saved: () => void
}

const ruleHelp: Record<CrateRuleKind, string> = {
  must: 'With several such rules, one of their boxes is used.',
  must_not: 'All other boxes may be used.',
  alone: 'Three items become three parcels.',
  keep_flat: 'It may be turned around, but not laid on another side.',
  pieces: 'So many items fill one box; the rest is packed as usual.',
  filler: 'This share of the height stays free in boxes with this product.',
  fragile_top: 'It shares its box with nothing.',
}

function RuleForm({ rule, crates, remove, removing, close, saved }: RuleFormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const [sku, setSku] = useState(rule?.sku ?? '')
  const [kind, setKind] = useState<CrateRuleKind>(rule?.kind ?? 'must')
  const [crate, setCrate] = useState(rule?.crate?.id ?? 0)
  const [pieces, setPieces] = useState<number | ''>(rule?.pieces ?? '')
  const [percent, setPercent] = useState<number | ''>(rule?.percent ?? '')
  const [some, setSome] = useState(rule?.conditions !== null && rule !== null)
  const [conditions, setConditions] = useState<unknown>(rule?.conditions ?? { v: 1, all: [] })
  const [parsed, setParsed] = useState(() => parseRule(rule?.conditions ?? { v: 1, all: [] }, 'crate').rule ?? null)
  const [tried, setTried] = useState(false)
  const set = useCommand(
    async () => {
      const stored = await send(crateRules.set, {
        id: mayNameCrate(kind) ? crate : 0,
        sku: sku.trim(),
        body: {
          kind,
          pieces: kind === 'pieces' && pieces !== '' ? pieces : null,
          percent: kind === 'filler' && percent !== '' ? percent : null,
          conditions: some ? parsed : null,
        },
      })
      // A rule is known by SKU, kind and box: with another one it is another rule.
      if (rule && stored.id !== rule.id) await send(crateRules.remove, { id: rule.id })
      return stored
    },
    { refreshes, said: t('Box rule saved'), quiet: true, done: saved },
  )
  const missing = {
    sku: sku.trim() === '' ? t('Fill this in') : undefined,
    crate: needsCrate(kind) && crate === 0 ? t('Select the box of this rule') : undefined,
    pieces: kind === 'pieces' && pieces === '' ? t(crateWords.pieces) : undefined,
    percent: kind === 'filler' && percent === '' ? t(crateWords.percent) : undefined,
  }
  const save = () => {
    setTried(true)
    if (Object.values(missing).some(Boolean) || (some && !parsed)) return
    set.mutate(undefined)
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="md">
        <ProductChoice sku={sku} set={setSku} readOnly={rule !== null} error={tried ? missing.sku : undefined} />
        <NativeChoice
          label={t('Rule')}
          description={t(ruleHelp[kind])}
          data={crateRuleKinds.map(value => ({ value, label: t(crateRuleLabels[value]) }))}
          value={kind}
          choose={setKind}
        />
        {mayNameCrate(kind) ? (
          <NativeChoice
            label={t('Box')}
            data={[
              { value: '0', label: needsCrate(kind) ? t('Select') : t('All boxes') },
              ...crates.map(({ id, name, code }) => ({ value: String(id), label: `${name} (CR${code})` })),
            ]}
            value={String(crate)}
            error={tried ? missing.crate : undefined}
            choose={value => setCrate(Number(value))}
          />
        ) : null}
        {kind === 'pieces' ? (
          <WholeNumberInput
            label={t('Items per box')}
            min={1}
            max={10_000}
            allowNegative={false}
            value={pieces}
            error={tried ? missing.pieces : undefined}
            onChange={value => setPieces(typeof value === 'number' ? value : '')}
          />
        ) : null}
        {kind === 'filler' ? (
          <WholeNumberInput
            label={t('Filler')}
            min={1}
            max={90}
            allowNegative={false}
            suffix=" %"
            value={percent}
            error={tried ? missing.percent : undefined}
            onChange={value => setPercent(typeof value === 'number' ? value : '')}
          />
        ) : null}
        <Switch
          label={t('Only for some orders')}
          description={t('Such as orders abroad. Off: the rule holds for all orders.')}
          checked={some}
          onChange={event => setSome(event.currentTarget.checked)}
        />
        {some ? (
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('Condition')}
            </Text>
            <Suspense fallback={null}>
              <RuleEditor
                kind="crate"
                initial={conditions}
                currency={init.settings.currency}
                showErrors={tried}
                onChange={(json, next) => {
                  setConditions(json)
                  setParsed(next)
                }}
              />
            </Suspense>
          </div>
        ) : null}
        {set.error ? <Alert color="brick">{errorSentence(set.error)}</Alert> : null}
        <Group justify="space-between">
          {rule ? (
            <Button variant="subtle" color="brick" loading={removing} onClick={() => void remove(rule)}>
              {t('Remove rule')}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={set.isPending}>
              {rule ? t('Save') : t('Add rule')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
