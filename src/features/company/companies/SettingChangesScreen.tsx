/** The history of settings: who changed what when, with filters, export and the way back. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { isAllowed } from '#contract/access.ts'
import { isRecord } from '#domain/objects.ts'
import type { RuleSetKind } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { instant } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { allScreens } from '#ui/navigation/screen.ts'
import { saveFile, send } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { useSetBack } from './set-back.client.ts'
import { settingChanges } from './setting-changes.contract.ts'
import type { SettingChangeRow } from './setting-changes.schemas.ts'
import { entryField, ownedParts, settingsByPage } from './setting-fields.rules.ts'
import { settingLabel, settingValue } from './setting-values.client.ts'

const Url = {
  path: urlText(),
  name: urlText(),
  changed_by: urlText(),
  from: urlText(),
  to: urlText(),
  page: urlNumber(1),
}
const keyOf = (row: SettingChangeRow) => row.id

export function SettingChangesScreen() {
  const t = useT()
  const { permissions } = useSignedIn()
  const [url, setUrl] = useUrlState(Url)
  const question = {
    path: url.path || undefined,
    name: url.name || undefined,
    changed_by: url.changed_by || undefined,
    from: url.from || undefined,
    to: url.to || undefined,
  }
  const list = usePagedList(settingChanges.list, { ...question, page: url.page, limit: 50 }, { live: ['company'], keyOf })
  const setBack = useSetBack()
  const readable = useMemo(() => settingsByPage.filter(page => isAllowed(permissions, page.read)), [permissions])
  const columns = useMemo<Column<SettingChangeRow>[]>(
    () => [
      { key: 'setting', title: t('Setting'), flex: 2, cell: row => settingLabel(row) },
      { key: 'page', title: t('Page'), cell: row => <Link to={row.page}>{pageTitle(t, row.page)}</Link> },
      { key: 'before', title: t('Before'), flex: 1, cell: row => inWords(row.name, row.before) },
      { key: 'after', title: t('After'), flex: 1, cell: row => inWords(row.name, row.after) },
      { key: 'changed_by', title: t('Changed by'), cell: row => row.changed_by },
      { key: 'at', title: t('Time'), cell: row => instant(row.at) },
    ],
    [t],
  )
  const paths = [...new Set(readable.map(page => page.path))]
  const fields = readable.filter(page => url.path === '' || page.path === url.path).flatMap(page => Object.entries(page.fields))
  const filters: Filter[] = [
    {
      key: 'path',
      label: t('Page'),
      kind: 'one',
      options: paths.map(value => ({ value, label: pageTitle(t, value) })),
      value: url.path ? [url.path] : [],
      set: ([path = '']) => setUrl({ path, name: '', page: 1 }),
    },
    {
      key: 'name',
      label: t('Setting'),
      kind: 'one',
      options: fields.map(([value, label]) => ({ value, label: t(label) })),
      value: url.name ? [url.name] : [],
      set: ([name = '']) => setUrl({ name, page: 1 }),
    },
    {
      key: 'from',
      label: t('From'),
      kind: 'day',
      value: url.from ? [url.from] : [],
      set: ([from = '']) => setUrl({ from, page: 1 }),
    },
    { key: 'to', label: t('Until'), kind: 'day', value: url.to ? [url.to] : [], set: ([to = '']) => setUrl({ to, page: 1 }) },
  ]
  const save = async () => saveFile(await send(settingChanges.exportAll, question))
  return (
    <Page
      title={t('History of settings')}
      fill
      actions={
        <Button visibleFrom="sm" variant="default" leftSection={<IconDownload size={16} />} onClick={() => void save().catch(toastError)}>
          {t('Export')}
        </Button>
      }
    >
      <DataTable
        name="setting-changes"
        label={t('History of settings')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        rowActions={row =>
          row.can_set_back
            ? [
                {
                  label: wayBack(t, row),
                  run: () => setBack.mutate({ id: row.id }),
                },
              ]
            : []
        }
        toolbar={
          <FilterBar
            name="setting-changes"
            search={{
              value: url.changed_by,
              set: changed_by => setUrl({ changed_by, page: 1 }, { replace: true }),
              label: t('Changed by'),
            }}
            filters={filters}
          />
        }
        filtered={Object.values(question).some(value => value !== undefined)}
        clearFilters={() => setUrl({ path: '', name: '', changed_by: '', from: '', to: '', page: 1 })}
        empty={
          <EmptyList
            title={t('No setting was changed yet')}
            action={
              <Button component={Link} to="/settings">
                {t('Settings')}
              </Button>
            }
          >
            {t('Who changed a setting and when, with the value before and after.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{settingLabel(row)}</strong>
              <span>{instant(row.at)}</span>
            </RowCardLine>
            <RowCardLine>
              <span>
                {inWords(row.name, row.before)} → {inWords(row.name, row.after)}
              </span>
              <span>{row.changed_by}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
    </Page>
  )
}

/** Which grammar the conditions of each list are written in. */
const rulesOf: Readonly<Record<string, RuleSetKind>> = {
  ...{ tag_rules: 'tag', box_rules: 'crate', additional_products: 'additional_product', alerts: 'alert', approval_rules: 'approval' },
  method_rules: 'shipping_method',
  campaigns: 'campaign',
}

/** Conditions as the sentence that their page shows; other values as everywhere. */
function inWords(name: string, value: unknown): string {
  const { owner, field } = ownedParts(name)
  const kind = field === 'conditions' && isRecord(value) ? rulesOf[owner] : undefined
  const rule = kind && parseRule(value, kind).rule
  return rule ? ruleSentence(rule, ruleWords) : settingValue(name, value)
}

/** An added entry is removed, and a removed one comes back. */
function wayBack(t: ReturnType<typeof useT>, { name, before, after }: SettingChangeRow): string {
  if (ownedParts(name).field !== entryField) return t('Set back to {{value}}', { value: inWords(name, before) })
  if (before === null) return t('Remove {{entry}}', { entry: settingValue(name, after) })
  return t('Bring {{entry}} back', { entry: settingValue(name, before) })
}

const pageTitle = (t: ReturnType<typeof useT>, path: string): string => t(allScreens().find(screen => screen.path === path)?.title ?? path)
