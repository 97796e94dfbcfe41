/** The steps with their pages; those of this device are known here only. */
import { searchedField } from '#contract/settings-search.ts'
import { useDevice } from '#ui/device/device-storage.ts'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import type { FirstSteps } from './first-steps.schemas.ts'

export interface Step {
  done: boolean
  title: string
  why: string
  to: string
  search?: Record<string, unknown>
  action: string
  /** This person may take it. */
  offered: boolean
}

export function useFirstSteps(done: FirstSteps): Step[] {
  const t = useT()
  const offered = useOfferedScreens()
  const station = useDevice('packingStation')
  const printer = useDevice('printer')
  const steps: Omit<Step, 'offered'>[] = [
    {
      done: done.sender,
      title: t('Enter the sender’s address'),
      why: t('Printed on every label. Logo, colour and cut-off are on the same page.'),
      to: '/settings/company-config',
      search: { [searchedField]: 'Address' },
      action: t('Open company'),
    },
    {
      done: done.network,
      title: t('Let the packing stations work from here'),
      why: t('Packing and printing are possible only from addresses that belong to the warehouse network.'),
      to: '/settings/company-config',
      search: { [searchedField]: 'Warehouse network' },
      action: t('Open company'),
    },
    {
      done: done.shipping_method,
      title: t('Select how parcels travel'),
      why: t('Switch on what you use, and enter what the shop calls it. Until then all parcels use own delivery.'),
      to: '/settings/shipping-config',
      action: t('Open shipping methods'),
    },
    {
      done: station !== null && typeof printer?.labelPrinter === 'number',
      title: t('Give this device a station and a label printer'),
      why: t('No printer yet? The “File” printers write PDF files into a folder on the server.'),
      to: '/settings/printer',
      action: t('Open printers'),
    },
    {
      done: done.people,
      title: t('Invite colleagues'),
      why: t('Each has a user of their own, with the permissions for their work.'),
      to: '/users',
      search: { id: 'new' },
      action: t('New user'),
    },
    {
      done: done.products,
      title: t('Add products with their barcodes'),
      why: t('From a file or one by one. Orders that name barcodes bring them along.'),
      to: '/parcels/products',
      action: t('Open products'),
    },
    {
      done: done.orders,
      title: t('Bring the first orders in'),
      why: t('Try it with a CSV file. Later the shop sends them itself, by an API key or a webhook.'),
      to: '/parcels/orders/import',
      action: t('Import orders'),
    },
    {
      done: done.packed,
      title: t('Pack the first parcel'),
      why: t('Scan the order, then its products. The last scan prints the label.'),
      to: '/',
      action: t('Scan and pack'),
    },
  ]
  return steps.map(step => ({ ...step, offered: offered.some(screen => screen.path === step.to) }))
}
