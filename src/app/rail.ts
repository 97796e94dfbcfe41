/** The order of the rail: what is asked for most often stands first, in four groups. */
import type { RailGroup } from '#ui/navigation/rail.ts'

export const rail: readonly RailGroup[] = [
  { pages: [{ path: '/dashboard', title: 'Home', tabs: [{ path: '/dashboard', title: 'Today' }, { path: '/dashboard/deadlines' }] }] },
  {
    caption: 'Orders',
    pages: [
      { path: '/parcels/orders' },
      { path: '/parcels/shipments' },
      { path: '/parcels/customers' },
      { path: '/parcels/messages' },
      { path: '/parcels/products' },
      { path: '/serials' },
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
        tabs: [
          { path: '/lists/pick', title: 'Lists' },
          { path: '/lists/pick', tab: 'wagons', title: 'Wagons' },
          { path: '/lists/pick/tasks', title: 'Shortages & tasks' },
          { path: '/lists/paperless', title: 'Totes' },
        ],
      },
      { path: '/lists/collect' },
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
        ],
      },
      { path: '/punchclock' },
      { path: '/users', title: 'Team', tabs: [{ path: '/users' }, { path: '/groups', title: 'Groups' }] },
      { path: '/salary', title: 'Payroll' },
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
