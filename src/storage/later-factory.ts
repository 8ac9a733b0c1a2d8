/** For tests: databases as an app of the next database version opens them. It has one store more. */
export function laterFactory(factory: IDBFactory): IDBFactory {
  const open = (name: string, version?: number): IDBOpenDBRequest => {
    const request = version === undefined ? factory.open(name) : factory.open(name, version + 1);
    request.addEventListener('upgradeneeded', () => {
      if (!request.result.objectStoreNames.contains('of-later'))
        request.result.createObjectStore('of-later');
    });
    return request;
  };
  return { open } as IDBFactory;
}
