import { expect, test } from 'vitest';
import type { ProjectDetails } from '#contract/projects.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { changesInput, fieldOfWire, initialValues, newProjectInput } from './form-values.ts';
import { saveProblem } from './save-problem.ts';

const file = (name: string) => new File(['x'], name);
const project: ProjectDetails = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Орбита',
  shortDescription: 'Симулятор',
  description: 'Движение спутников',
  landingURL: 'https://orbita.school.test/',
  ownerId: '01900000-0000-7000-8000-000000000002',
  ownerName: 'Комаров Илья',
  rating: null,
  ratingCount: 0,
  views: 0,
  logo: null,
  documentation: null,
  createdAt: '2026-05-22T15:00:00.000Z',
  updatedAt: '2026-05-22T15:00:00.000Z',
  isHidden: false,
  myRating: null,
  isMine: true,
  mayEdit: true,
};

test('only changed fields are sent, with the id and the current user’s name', () => {
  const values = { ...initialValues(project), name: 'Орбита 2', documentation: file('o.pdf') };
  expect(changesInput(project, values, 'Комаров Илья')).toEqual({
    body: { Id: project.id, Name: 'Орбита 2', OwnerName: 'Комаров Илья' },
    files: { Documentation: values.documentation },
  });
});

test('without a change nothing is sent: photos are never sent', () => {
  const values = { ...initialValues(project), projectPhoto: [file('photo.png')] };
  expect(changesInput(project, values, 'Комаров Илья')).toBeNull();
});

test('a new project is sent with all fields and both files, without photos', () => {
  const values = {
    ...initialValues(project),
    logoPhoto: file('logo.png'),
    documentation: file('o.pdf'),
    projectPhoto: [file('photo.png')],
  };
  expect(newProjectInput(values, 'Анна Кузнецова')).toEqual({
    body: {
      Name: 'Орбита',
      ShortDescription: 'Симулятор',
      Description: 'Движение спутников',
      LandingURL: 'https://orbita.school.test/',
      OwnerName: 'Анна Кузнецова',
    },
    files: { LogoPhoto: values.logoPhoto, Documentation: values.documentation },
  });
});

test('an API field name maps to its form field', () => {
  expect(fieldOfWire('LogoPhoto')).toBe('logoPhoto');
  expect(fieldOfWire('body.Name')).toBe('name');
  expect(fieldOfWire('OwnerName')).toBeUndefined();
});

const failure = (parts: Partial<ConstructorParameters<typeof ApiFailure>[0]>) =>
  new ApiFailure({ kind: 'refused', method: 'POST', url: '/api/ProjectCard', ...parts });

test('a refused file is reported at its field, anything else at the form', () => {
  const refused = failure({
    code: 'FILE_REFUSED',
    details: { fields: [{ field: 'LogoPhoto', message: 'Это не картинка' }] },
  });
  expect(saveProblem(refused, true)).toEqual({
    fields: new Map([['logoPhoto', 'Это не картинка']]),
    form: null,
  });
  const full = failure({ code: 'STORAGE_FULL', message: 'На сервере закончилось место' });
  expect(saveProblem(full, true).form).toBe('На сервере закончилось место');
});

test('a lost reply says that the project may have been saved', () => {
  const lost = failure({ kind: 'unreachable', timedOut: true });
  expect(saveProblem(lost, true).form).toContain('проект мог сохраниться');
  expect(saveProblem(lost, false).form).toContain('Сервер не отвечает');
});
