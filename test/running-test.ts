/**
 * The test runner of Node learns which test runs from an async hook, which it calls at the creation and at the end of
 * every promise. That takes a third of the CPU time of a run. Async context (`AsyncLocalStorage`) tells the same at
 * nearly no cost: through promises, timers and sockets, each piece of work knows the test that started it.
 */
import asyncHooks from 'node:async_hooks'

/** Makes the test runner find the running test by async context. Call it before anything loads `node:test`. */
export function findTestsByContext(): void {
  const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks
  const running = new AsyncLocalStorage<number>()
  const tests = new WeakSet<object>()

  Object.assign(asyncHooks, {
    // Tests, suites and their hooks are resources of the type `Test`. The runner need not hear of others, nor of ends.
    createHook({ init }: asyncHooks.HookCallbacks) {
      const created: asyncHooks.HookCallbacks['init'] = (id, type, trigger, resource) => {
        if (type !== 'Test') return
        tests.add(resource)
        init?.(id, type, trigger, resource)
      }
      return createHook({ init: created, trackPromises: false })
    },
    executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  })

  // The runner runs a test in the scope of its resource.
  const { runInAsyncScope } = AsyncResource.prototype
  AsyncResource.prototype.runInAsyncScope = function run(
    this: asyncHooks.AsyncResource,
    work,
    subject,
    ...args
  ) {
    const inScope = () => Reflect.apply(work, subject, args) as ReturnType<typeof work>
    const isTest = tests.has(this)
    return runInAsyncScope.call(
      this,
      isTest ? () => running.run(this.asyncId(), inScope) : inScope,
    ) as ReturnType<typeof work>
  }
}
