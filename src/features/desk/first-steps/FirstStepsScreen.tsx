/** First steps: the way of a new company to its first parcel, each step with the page on which it is taken. */
import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useDevice } from '#ui/device/device-storage.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './FirstSteps.module.css'
import { firstSteps } from './first-steps.contract.ts'
import type { FirstSteps } from './first-steps.schemas.ts'

export function FirstStepsScreen() {
  const t = useT()
  // A person who comes back from a step has just taken it.
  const done = useCall(firstSteps.get, {}, { fresh: 0 })
  return (
    <Page
      title={t('First steps')}
      note={t('What a new company does until its first parcel leaves. All of it can be changed later.')}
      narrow
    >
      <QueryState of={done} shape="rows">
        {done => <Steps done={done} />}
      </QueryState>
    </Page>
  )
}

interface Step {
  done: boolean
  title: string
  why: string
  to: string
  search?: Record<string, unknown>
  action: string
}

function Steps({ done }: { done: FirstSteps }) {
  const t = useT()
  const offered = useOfferedScreens()
  const station = useDevice('packingStation')
  const printer = useDevice('printer')
  const steps: Step[] = [
    {
      done: done.sender,
      title: t('Enter the sender’s address'),
      why: t('Printed on every label. Logo, colour and cut-off are on the same page.'),
      to: '/settings/company-config',
      action: t('Open company'),
    },
    {
      done: done.network,
      title: t('Let the packing stations work from here'),
      why: t('Packing and printing are possible only from addresses that belong to the warehouse network.'),
      to: '/settings/company-config',
      action: t('Open company'),
    },
    {
      done: done.shipping_method,
      title: t('Select how parcels travel'),
      why: t('Switch on what you use, and write down what the shop calls it. Until then every parcel goes by the own van.'),
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
  const next = steps.find(step => !step.done)
  return (
    <>
      <p role="status">
        {next
          ? t('{{done}} of {{all}} steps are done.', { done: steps.filter(step => step.done).length, all: steps.length })
          : t('All steps are done.')}
      </p>
      <ol className={style.steps}>
        {steps.map(({ title, why, to, search, action, ...step }) => (
          <li key={title} className={style.step} aria-current={title === next?.title ? 'step' : undefined}>
            {step.done ? (
              <IconCircleCheckFilled className={style.done} aria-label={t('Done')} />
            ) : (
              <IconCircle aria-label={t('Not done yet')} />
            )}
            <div className={style.words}>
              <h2>{title}</h2>
              <p>{why}</p>
            </div>
            {offered.some(screen => screen.path === to) ? (
              <Button
                component={Link}
                to={to}
                search={search}
                variant={title === next?.title ? 'filled' : 'default'}
                aria-label={`${title}: ${action}`}
              >
                {action}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  )
}
