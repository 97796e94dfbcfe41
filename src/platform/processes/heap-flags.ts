/**
 * Flags of the processes that answer calls and run tasks. Node lets the heap of a process grow to several times what it needs where the machine has
 * much memory: both processes held 1,020 MB under the load of two hundred stations, and 581 MB with these flags, at the same processor time
 * (`npm run bench -- load`). They collect when what may be garbage is a quarter of what is in use. What Node has compiled with other flags is of
 * no use to them.
 */
export const heapFlags = ['--max-semi-space-size=8', '--heap-growing-percent=25']
