/** Product links: addresses that stand at the names of products, with places for SKU, barcode and the shop's id. */
import { Button, Group, MultiSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { access } from '#contract/access.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { linkIcons } from './ProductLinks.tsx'
import { type ProductLinkIcon, productLinkIcons } from './product-links.codes.ts'
import { productLinks } from './product-links.contract.ts'
import { filledLink } from './product-links.rules.ts'
import { ProductLink, ProductLinkFields } from './product-links.schemas.ts'

const iconLabels: Record<ProductLinkIcon, string> = {
  link: 'Link',
  shop: 'Shop',
  picture: 'Picture',
  manual: 'Manual',
  supplier: 'Supplier',
  search: 'Search',
}
const keyOf = (row: ProductLink) => row.id
const refreshes = [productLinks.list]
const fieldsOf = ({ id: _id, version: _version, ...fields }: ProductLink) => fields

export function ProductLinksScreen() {
  const t = useT()
  const { init, user } = useSignedIn()
  const maySet = useIsAllowed(access.settings)
  const [open, setOpen] = useState<ProductLink | 'new' | null>(null)
  const links = useCall(productLinks.list, {}, { live: ['product'] })
  const list = {
    ...staticList(links.data ?? []),
    isLoading: links.isPending,
    error: links.error,
    refetch: () => void links.refetch(),
  }
  const companies = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  const isOwn = (row: ProductLink) => user.is_main_company || (row.company_ids?.length === 1 && row.company_ids[0] === user.company_id)
  const putBack = useCommand((row: ProductLink) => send(productLinks.create, { body: fieldsOf(row) }), {
    refreshes,
    said: t('The link is back'),
  })
  const remove = useCommand((row: ProductLink) => send(productLinks.remove, { id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      setOpen(null)
      toastWithUndo(t('Link {{title}} removed', { title: row.title }), () => putBack.mutate(row))
    },
  })
  const columns = useMemo<Column<ProductLink>[]>(
    () => [
      {
        key: 'title',
        title: t('Name'),
        flex: 1,
        cell: row => {
          const Icon = linkIcons[row.icon]
          return (
            <Group gap="xs" wrap="nowrap">
              <Icon size={16} aria-hidden />
              {row.title}
            </Group>
          )
        },
      },
      { key: 'url', title: t('Address'), flex: 3, cell: row => row.url },
      {
        key: 'companies',
        title: t('Companies'),
        flex: 1,
        cell: row => row.company_ids?.map(id => companies.get(id) ?? id).join(', ') ?? t('All'),
      },
      {
        key: 'state',
        title: t('Status'),
        cell: row => (row.active ? <StateBadge tone="done">{t('In use')}</StateBadge> : <StateBadge tone="quiet">{t('Off')}</StateBadge>),
      },
    ],
    [t, companies],
  )
  return (
    <Page
      title={t('Product links')}
      fill
      actions={
        maySet && list.total > 0 ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
            {t('Add link')}
          </Button>
        ) : null
      }
    >
      <DataTable
        name="product-links"
        label={t('Product links')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        {...(maySet && { open: (row: ProductLink) => isOwn(row) && setOpen(row) })}
        rowActions={row =>
          maySet && isOwn(row)
            ? [
                { label: t('Edit'), run: () => setOpen(row) },
                { label: t('Remove link'), danger: true, run: () => remove.mutate(row) },
              ]
            : []
        }
        empty={
          <EmptyList
            title={t('No product links yet')}
            {...(maySet && { action: <Button onClick={() => setOpen('new')}>{t('Add link')}</Button> })}
          >
            {t('For example the page of the product in your shop, or its safety data sheet.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.title}</span>
            </RowCardLine>
            <span>{row.url}</span>
          </RowCard>
        )}
      />
      <Drawer opened={open !== null} onClose={() => setOpen(null)} size={560} title={open === 'new' ? t('New link') : t('Link')}>
        {open ? (
          <LinkForm
            key={open === 'new' ? 0 : open.id}
            link={open === 'new' ? null : open}
            position={links.data?.length ?? 0}
            close={() => setOpen(null)}
            remove={row => remove.mutate(row)}
          />
        ) : null}
      </Drawer>
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  title: string
  url: string
  icon: ProductLinkIcon
  position: number
  company_ids: string[]
  active: boolean
}
const valuesOf = (link: ProductLink | null, position: number): Values => ({
  title: link?.title ?? '',
  url: link?.url ?? 'https://',
  icon: link?.icon ?? 'link',
  position: link?.position ?? position,
  company_ids: link?.company_ids?.map(String) ?? [],
  active: link?.active ?? true,
})
const parsed = ({ company_ids, ...values }: Values) =>
  ProductLinkFields.parse({ ...values, company_ids: company_ids.length === 0 ? null : company_ids.map(Number) })

interface FormProps {
  link: ProductLink | null
  position: number
  close: () => void
  remove: (link: ProductLink) => void
}

function LinkForm({ link, position, close, remove }: FormProps) {
  const t = useT()
  const { init, user } = useSignedIn()
  const version = useRef(link?.version ?? 0)
  const edit = useEdit({
    schema: ProductLinkFields.omit({ company_ids: true }).loose(),
    initial: valuesOf(link, position),
    save: values =>
      link
        ? send(productLinks.update, { id: link.id, body: { ...parsed(values), version: version.current } })
        : send(productLinks.create, { body: parsed(values) }),
    refreshes,
    said: t('Link saved'),
    ...(link && {
      undo: (answer: ProductLink, before: Values) =>
        send(productLinks.update, { id: link.id, body: { ...parsed(before), version: answer.version } }),
    }),
    done: close,
    conflict: {
      schema: ProductLink,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, position)
      },
    },
  })
  const { values } = edit
  const example = filledLink(values.url, { sku: 'WOOL-42', barcode: '5701234567899', shop_product_id: '1001' })
  return (
    <Form edit={edit} cancel={close}>
      <TextInput label={t('Name')} data-autofocus {...edit.of('title')} />
      <TextInput
        label={t('Address')}
        description={t('Places: {sku}, {barcode}, {shop_product_id}. A product without it shows no link.')}
        spellCheck={false}
        {...edit.of('url')}
      />
      {example ? (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('For example {{address}}', { address: example })}
        </Text>
      ) : null}
      <Group grow align="start">
        <NativeChoice
          label={t('Icon')}
          data={productLinkIcons.map(value => ({ value, label: t(iconLabels[value]) }))}
          value={values.icon}
          choose={icon => edit.form.setFieldValue('icon', icon)}
        />
        <WholeNumberInput label={t('Rank')} min={0} max={10_000} hideControls {...edit.of('position')} />
      </Group>
      {user.is_main_company && init.CompanyLookup.length > 1 ? (
        <MultiSelect
          label={t('Companies')}
          description={t('Empty: products of all companies show it.')}
          data={init.CompanyLookup.map(one => ({ value: String(one.id), label: one.name }))}
          clearable
          {...edit.of('company_ids')}
        />
      ) : null}
      <Stack>
        <Switch label={t('Active')} {...edit.of('active', 'checkbox')} />
      </Stack>
      {link ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(link)}>
            {t('Remove link')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}
