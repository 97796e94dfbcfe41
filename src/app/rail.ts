/** The order of the rail: what is asked for most often stands first, in four groups. */
import { afterFirstScreen } from '#ui/kit/first-screen.ts'
import { lazyPart } from '#ui/kit/Slot.tsx'
import type { RailGroup } from '#ui/navigation/rail.ts'

const counts = afterFirstScreen(() => import('#features/desk/home/RailCounts.tsx'))
const late = lazyPart(async () => (await counts()).LateCount)
const stopped = lazyPart(async () => (await counts()).OrdersCount)
const attention = lazyPart(async () => (await counts()).ShipmentExceptionsCount)
const exceptions = lazyPart(async () => (await counts()).ExceptionsCount)
const shortages = lazyPart(async () => (await counts()).PickTasksCount)

export const rail: readonly RailGroup[] = [
  {
    pages: [
      {
        path: '/dashboard',
        title: 'Home',
        tabs: [{ path: '/dashboard', title: 'Today' }, { path: '/dashboard/deadlines' }],
        Count: late,
      },
    ],
  },
  {
    caption: 'Orders',
    pages: [
      { path: '/parcels/orders', Count: stopped },
      {
        path: '/parcels/shipments',
        Count: attention,
        tabs: [
          { path: '/parcels/shipments' },
          { path: '/parcels/shipments/exceptions', title: 'Needs attention' },
          { path: '/parcels/shipments/claims' },
          { path: '/parcels/shipments/pickups' },
        ],
      },
      { path: '/parcels/exceptions', Count: exceptions },
      { path: '/parcels/customers' },
      { path: '/parcels/messages' },
      { path: '/parcels/products' },
      {
        path: '/serials',
        tabs: [{ path: '/serials' }, { path: '/serials/stock', title: 'Imported' }],
      },
    ],
  },
  {
    caption: 'Warehouse',
    pages: [
      { path: '/', title: 'Pack' },
      { path: '/pick' },
      {
        path: '/lists/pick',
        icon: 'lists',
        Count: shortages,
        tabs: [
          { path: '/lists/pick', title: 'Lists' },
          { path: '/lists/pick', tab: 'wagons', title: 'Wagons' },
          { path: '/lists/pick/tasks', title: 'Shortages & tasks' },
          { path: '/lists/paperless', title: 'Totes' },
        ],
      },
      { path: '/lists/collect' },
      { path: '/returns' },
    ],
  },
  {
    caption: 'People',
    pages: [
      {
        path: '/schedule',
        tabs: [
          { path: '/schedule', title: 'Week' },
          { path: '/schedule/overview' },
          { path: '/schedule/approve', title: 'Leave' },
          { path: '/schedule/timesheet' },
          { path: '/schedule/work' },
        ],
      },
      { path: '/punchclock' },
      { path: '/users', title: 'Team', tabs: [{ path: '/users' }, { path: '/groups', title: 'Groups' }] },
      {
        path: '/salary',
        title: 'Payroll',
        tabs: [
          { path: '/salary', title: 'Period' },
          { path: '/salary/rules', title: 'Rules' },
        ],
      },
    ],
  },
  {
    caption: 'Insight',
    pages: [
      {
        path: '/statistics',
        title: 'Statistics',
        icon: 'statistics',
        tabs: [{ path: '/statistics/packer-stats' }, { path: '/statistics/picker-stats' }],
      },
      { path: '/lists/invoices' },
    ],
  },
]
