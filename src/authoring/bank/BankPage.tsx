/** «Банк вопросов»: every question of the teacher. */
export function BankPage() {
  return <p>Банк вопросов</p>;
}
