/** The links of one product as icons beside its name; nothing where there are none. */
import { Anchor, Tooltip } from '@mantine/core'
import {
  IconBook2,
  IconBuildingStore,
  IconExternalLink,
  IconPhoto,
  IconSearch,
  IconTruckLoading,
  type TablerIcon,
} from '@tabler/icons-react'
import { useCall } from '#ui/query/calls.ts'
import type { ProductLinkIcon } from './product-links.codes.ts'
import { productLinks } from './product-links.contract.ts'
import { filledLink, type LinkedProduct } from './product-links.rules.ts'

export const linkIcons: Record<ProductLinkIcon, TablerIcon> = {
  link: IconExternalLink,
  shop: IconBuildingStore,
  picture: IconPhoto,
  manual: IconBook2,
  supplier: IconTruckLoading,
  search: IconSearch,
}

/** The templates are read once for all products of a page. */
export function ProductLinks({ company_id, size = 16, ...product }: LinkedProduct & { company_id: number; size?: number }) {
  const links = useCall(productLinks.list, {}, { fresh: 600_000 })
  const shown = (links.data ?? []).flatMap(({ id, title, url, icon, active, company_ids }) => {
    const address = active && (company_ids === null || company_ids.includes(company_id)) ? filledLink(url, product) : null
    return address === null ? [] : [{ id, title, address, Icon: linkIcons[icon] }]
  })
  if (shown.length === 0) return null
  return (
    <span style={{ display: 'inline-flex', gap: 'var(--s-2)', marginInlineStart: 'var(--s-2)', verticalAlign: 'middle' }}>
      {shown.map(({ id, title, address, Icon }) => (
        <Tooltip key={id} label={title}>
          <Anchor
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
            aria-label={title}
            style={{ display: 'inline-flex' }}
          >
            <Icon size={size} aria-hidden />
          </Anchor>
        </Tooltip>
      ))}
    </span>
  )
}
