/** Additional products: samples, flyers and gifts that rules add to orders. The main company writes them, shops read them. */
import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { AdditionalProductForm } from './AdditionalProductForm.tsx'
import { additionalProductSorts, additionHandlings } from './additional-products.codes.ts'
import { additionalProducts } from './additional-products.contract.ts'
import { frequencyLabels, handlingLabels } from './additional-products.labels.ts'
import type { AdditionalProduct } from './additional-products.schemas.ts'

const states = ['on', 'off', 'out'] as const
const View = {
  query: urlText(),
  /** In use, switched off, or used up. */
  state: urlChoice(['', ...states], ''),
  handling: urlChoice(['', ...additionHandlings], ''),
  company: urlNumber(0),
  sort: urlChoice(additionalProductSorts, 'position'),
  page: urlNumber(1),
  /** Id of the open product, or `new`. */
  id: urlText(),
}
const path = '/settings/additional-products'
const keyOf = (row: AdditionalProduct) => row.id
const stateOf = { on: { active: true }, off: { active: false }, out: { stock: 'out' }, '': {} } as const

function sentenceOf({ conditions }: AdditionalProduct): string {
  const { rule } = parseRule(conditions, 'additional_product')
  return rule ? ruleSentence(rule, ruleWords) : '–'
}

export function AdditionalProductsScreen() {
  const t = useT()
  const { init, user } = useSignedIn()
  const maySet = useIsAllowed(access.settings)
  const mayEdit = maySet && user.is_main_company
  const [url, setUrl, urlWith] = useUrlState(View)
  const question = {
    sort: url.sort,
    ...(url.query && { query: url.query }),
    ...(url.handling && { handling: url.handling }),
    ...(url.company > 0 && { company: url.company }),
    ...stateOf[url.state],
  }
  const list = usePagedList(additionalProducts.list, { ...question, page: url.page, limit: 50 }, { live: ['additional_product'], keyOf })
  const save = useCommand(() => send(additionalProducts.export, question), { done: saveFile })
  const companies = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  const columns = useMemo<Column<AdditionalProduct>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        sort: true,
        cell: row => (
          <Group gap="sm" wrap="nowrap">
            <ImageView
              from={row.has_image ? { call: additionalProducts.picture, input: { id: row.id } } : null}
              sku={row.barcode ?? ''}
              name={row.name}
              size={32}
              version={row.version}
            />
            <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.id) })}>
              {row.name}
            </Anchor>
          </Group>
        ),
      },
      { key: 'rule', title: t('Condition'), flex: 3, cell: row => <span title={sentenceOf(row)}>{sentenceOf(row)}</span> },
      { key: 'per', title: t('How often'), flex: 1, cell: row => t(frequencyLabels[row.per]) },
      { key: 'handling', title: t('Station'), flex: 1, hidden: true, cell: row => t(handlingLabels[row.handling]) },
      { key: 'state', title: t('Status'), cell: row => <ProductState of={row} /> },
      { key: 'stock_left', title: t('Stock'), align: 'end', sort: true, cell: row => <Stock of={row} /> },
      { key: 'planned', title: t('Waiting'), align: 'end', cell: row => number(row.planned) },
      { key: 'packed', title: t('Packed'), align: 'end', cell: row => number(row.packed) },
      ...(companies.size > 1
        ? [
            {
              key: 'companies',
              hidden: true,
              title: t('Companies'),
              flex: 1,
              cell: (row: AdditionalProduct) => row.company_ids?.map(id => companies.get(id) ?? id).join(', ') ?? t('All'),
            },
          ]
        : []),
      { key: 'barcode', title: t('Barcode'), hidden: true, cell: row => row.barcode ?? '–' },
      { key: 'bin', title: t('Bin'), hidden: true, cell: row => row.bin ?? '–' },
      { key: 'picking', title: t('Picked along'), hidden: true, cell: row => (row.on_pick_list ? t('Yes') : t('No')) },
      { key: 'position', title: t('Rank'), align: 'end', sort: true, hidden: true, cell: row => number(row.position) },
    ],
    [t, urlWith, companies],
  )
  const byCompany = useCompanyFilter({
    kind: 'one',
    value: url.company > 0 ? [String(url.company)] : [],
    set: ([value = '0']) => setUrl({ company: Number(value) }),
  })
  const close = () => setUrl({ id: '' })
  return (
    <Page
      title={t('Additional products')}
      fill
      actions={
        <>
          <ExportButton save={save} />
          {mayEdit ? (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
              {t('Add product')}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        name="additional-products"
        label={t('Additional products')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={Number(url.id) || null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: additionalProductSorts.find(one => one === sort) ?? 'position' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="additional-products"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search name, barcode, bin') }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'one',
                options: [
                  { value: 'on', label: t('In use') },
                  { value: 'off', label: t('Off') },
                  { value: 'out', label: t('Used up') },
                ],
                value: url.state ? [url.state] : [],
                set: ([value = '']) => setUrl({ state: isOneOf(states, value) ? value : '' }),
              },
              {
                key: 'handling',
                label: t('At the station'),
                kind: 'one',
                options: additionHandlings.map(value => ({ value, label: t(handlingLabels[value]) })),
                value: url.handling ? [url.handling] : [],
                set: ([value = '']) => setUrl({ handling: isOneOf(additionHandlings, value) ? value : '' }),
              },
              ...byCompany,
            ]}
          />
        }
        filtered={url.query !== '' || url.state !== '' || url.handling !== '' || url.company > 0}
        clearFilters={() => setUrl({ query: '', state: '', handling: '', company: 0 })}
        empty={
          <EmptyList
            title={t('No additional products yet')}
            {...(mayEdit && {
              action: (
                <Button variant="default" onClick={() => setUrl({ id: 'new' })}>
                  {t('Add product')}
                </Button>
              ),
            })}
          >
            {mayEdit
              ? t('For example a sample in each order above 500 DKK, once per customer.')
              : t('The main company adds samples, flyers and gifts for the orders of all companies.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.name}</span>
              <ProductState of={row} />
            </RowCardLine>
            <RowCardLine>
              <span>{t(frequencyLabels[row.per])}</span>
              <Stock of={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer
        opened={url.id !== ''}
        onClose={close}
        size="min(100%, 68rem)"
        title={url.id === 'new' ? t('New additional product') : t('Additional product')}
      >
        {url.id === 'new' && mayEdit ? (
          <AdditionalProductForm
            product={null}
            mayEdit
            close={close}
            changed={list.showPendingChanges}
            made={({ id }) => setUrl({ id: String(id) })}
          />
        ) : Number(url.id) > 0 ? (
          <Opened id={Number(url.id)} mayEdit={mayEdit} close={close} changed={list.showPendingChanges} />
        ) : null}
      </Drawer>
    </Page>
  )
}

function Opened({ id, ...rest }: { id: number; mayEdit: boolean; close: () => void; changed: () => void }) {
  const one = useCall(additionalProducts.get, { id })
  return (
    <QueryState of={one} shape="form">
      {product => <AdditionalProductForm key={product.id} product={product} {...rest} />}
    </QueryState>
  )
}

function ProductState({ of: product }: { of: AdditionalProduct }) {
  const t = useT()
  if (product.broken) return <StateBadge tone="stop">{t('Cannot be read')}</StateBadge>
  if (!product.active) return <StateBadge tone="quiet">{t('Off')}</StateBadge>
  return product.stock_left === 0 ? <StateBadge tone="soon">{t('Used up')}</StateBadge> : <StateBadge tone="done">{t('In use')}</StateBadge>
}

function Stock({ of: product }: { of: AdditionalProduct }) {
  const t = useT()
  return product.stock_left === null ? <Text c="dimmed">{t('not counted')}</Text> : number(product.stock_left)
}
